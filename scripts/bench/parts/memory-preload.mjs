// Prints the largest resident set of a process at its end, in kilobytes.
process.on("exit", () => process.stderr.write(`maxRSS ${process.resourceUsage().maxRSS}\n`));
