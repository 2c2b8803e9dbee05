/** Waiting for the server, for what cannot be done without it. */

import type { Server } from '../server/server';

export function whenRunning(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (server.status.state === 'running') {
      resolve();
      return;
    }
    const listener = server.onDidChange(({ state }) => {
      if (state === 'running') {
        listener.dispose();
        resolve();
      }
    });
  });
}
