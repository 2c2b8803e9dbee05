/** Earlier questions, brought back into an empty field by the arrow keys. */

export class Recall {
  /** How many questions back; 0 is what is being written. */
  private back = 0;

  /** The questions of the conversation, the latest last. */
  constructor(private readonly asked: () => readonly string[]) {}

  forget(): void {
    this.back = 0;
  }

  /** The text after an arrow key in a field with `text`; null when the arrow only moves in it. */
  step(key: 'ArrowUp' | 'ArrowDown', text: string): string | null {
    const asked = this.asked();
    const present = this.back ? asked.at(-this.back) : '';
    const next = Math.min(Math.max(this.back + (key === 'ArrowUp' ? 1 : -1), 0), asked.length);
    if (text !== present || next === this.back) {
      return null;
    }
    this.back = next;
    return next ? (asked.at(-next) ?? '') : '';
  }
}
