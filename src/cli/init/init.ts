import { EXIT, EXIT_BY_SIGNAL, exitCodeOf, type Invocation } from "../invocation.ts";
import { ConfigurationFiles } from "./configuration-files.ts";
import { Interview } from "./interview.ts";
import { createPrompter, QuestionsEndedError } from "./prompter.ts";

/** Asks for the configuration, checks the answers, and then writes .env and the settings file. */
export async function init(invocation: Invocation): Promise<number> {
  const files = await ConfigurationFiles.read(invocation);
  const prompter = createPrompter(invocation);
  try {
    const interview = new Interview(invocation, prompter, files);
    const stop = await Promise.race([interview.askAll(), prompter.cancelled, invocation.stopRequested]);
    if (stop !== undefined) return exitCodeOf(stop);
    // From here on a stop waits for the end, so that it leaves no temporary file with secrets.
    const written = await files.write();
    invocation.out("");
    invocation.out(`Wrote ${written.join(" and ")}.`);
    const problems = files.remainingProblems();
    for (const problem of problems) invocation.err(`splitwatch: ${problem}`);
    if (problems.length > 0) return EXIT.usage;
    for (const line of interview.nextSteps()) invocation.out(line);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof QuestionsEndedError)) throw error;
    invocation.err(`splitwatch: init: ${error.message}; nothing was written`);
    return error.isCancelled ? EXIT_BY_SIGNAL.SIGINT : EXIT.usage;
  } finally {
    prompter.close();
  }
}
