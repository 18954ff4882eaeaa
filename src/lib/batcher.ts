interface Waiting<Q, A> {
  readonly request: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a function that answers requests in batches of at most `max`: while one batch is answered, further requests form the
 * next one. `answer` returns the answers in the order of the requests; if it fails, its whole batch fails.
 */
export function createBatcher<Q, A>(
  max: number,
  answer: (requests: readonly Q[]) => Promise<readonly A[]>,
): (request: Q) => Promise<A> {
  let waiting: Waiting<Q, A>[] = [];
  let isAnswering = false;

  async function answerAll(): Promise<void> {
    isAnswering = true;
    // Requests of the same turn belong to the first batch.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      try {
        const answers = await answer(batch.map(({ request }) => request));
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as A);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isAnswering = false;
  }

  return (request) =>
    new Promise<A>((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      if (!isAnswering) void answerAll();
    });
}
