/** Counts what came while nobody looked, in the page's title. */
export function createUnreadCount(): { add(): void } {
  const { title } = document;
  let unread = 0;

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    unread = 0;
    document.title = title;
  });
  return {
    add() {
      if (!document.hidden) return;
      unread += 1;
      document.title = `(${unread}) ${title}`;
    },
  };
}
