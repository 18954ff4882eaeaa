/** Gives back what was put in, the lowest rank first; among equal ranks in any order. */
export class MinHeap<T extends { readonly rank: number }> {
  readonly #tree: T[] = [];

  get lowest(): T | undefined {
    return this.#tree[0];
  }

  push(entry: T): void {
    let at = this.#tree.length;
    this.#tree.push(entry);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#rank(above) <= entry.rank) break;
      this.#swap(at, above);
      at = above;
    }
  }

  pop(): T | undefined {
    const lowest = this.#tree[0];
    const last = this.#tree.pop();
    if (lowest === undefined || last === undefined || this.#tree.length === 0) return lowest;
    this.#tree[0] = last;
    this.#sink();
    return lowest;
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const below = this.#rank(left + 1) < this.#rank(left) ? left + 1 : left;
      if (this.#rank(below) >= this.#rank(at)) return;
      this.#swap(at, below);
      at = below;
    }
  }

  /** Beyond the end nothing is lower. */
  #rank(at: number): number {
    return this.#tree[at]?.rank ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#tree[a], this.#tree[b]];
    if (one === undefined || other === undefined) return;
    this.#tree[a] = other;
    this.#tree[b] = one;
  }
}
