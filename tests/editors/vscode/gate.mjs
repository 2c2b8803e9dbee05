/** Holds the answers of a model halfway, so that what is under way can be looked at for as long as it takes. */

import { setTimeout as sleep } from 'node:timers/promises';

export class Gate {
  #opened = Promise.resolve();

  /** What is said from now on waits at its half until `look` is over; returns what that returns. */
  async hold(look) {
    let open;
    this.#opened = new Promise((resolve) => (open = resolve));
    try {
      return await look();
    } finally {
      open();
    }
  }

  /** Hand over the pieces of a text one by one; the second half waits until the gate is open. */
  async say(pieces, pauseMs, send) {
    const half = Math.floor(pieces.length / 2);
    for (const [index, piece] of pieces.entries()) {
      if (index === half) {
        await this.#opened;
      }
      send({ content: piece });
      await sleep(pauseMs);
    }
  }
}
