/** What is to happen when, the earliest first; of one moment, in the order in which it was added. */
export class Agenda<T> {
  // A heap of moments: a binary tree in an array, in which none is later than those below it.
  private readonly heap: number[] = [];
  private readonly byMoment = new Map<number, T[]>();

  get next(): number | undefined {
    return this.heap[0];
  }

  add(at: number, item: T): void {
    const known = this.byMoment.get(at);
    if (known) {
      known.push(item);
      return;
    }
    this.byMoment.set(at, [item]);
    this.rise(this.heap.push(at) - 1);
  }

  /** All of the earliest moment. */
  take(): T[] {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (first === undefined || last === undefined) return [];
    if (this.heap.length > 0) {
      this.heap[0] = last;
      this.sink();
    }
    const items = this.byMoment.get(first) ?? [];
    this.byMoment.delete(first);
    return items;
  }

  private rise(from: number): void {
    const { heap } = this;
    for (let i = from; i > 0; ) {
      const above = (i - 1) >> 1;
      if ((heap[above] as number) <= (heap[i] as number)) return;
      [heap[above], heap[i]] = [heap[i] as number, heap[above] as number];
      i = above;
    }
  }

  private sink(): void {
    const { heap } = this;
    for (let i = 0; ; ) {
      let least = i;
      for (const below of [2 * i + 1, 2 * i + 2])
        if (below < heap.length && (heap[below] as number) < (heap[least] as number)) least = below;
      if (least === i) return;
      [heap[least], heap[i]] = [heap[i] as number, heap[least] as number];
      i = least;
    }
  }
}
