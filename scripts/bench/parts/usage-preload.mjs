// Loaded into a measured process with --import. Answers the message "usage" with the CPU time that the process has used so far.
process.on("message", (message) => {
  if (message !== "usage") return;
  const { user, system } = process.cpuUsage();
  process.send({ cpuMicros: user + system });
});
process.on("disconnect", () => process.exit());
