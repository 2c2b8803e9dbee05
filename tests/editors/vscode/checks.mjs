/** Runs named checks one after the other and counts them. */

/** Add the counts of other checks to a total. */
export function addCounts(total, { passed, failed }) {
  total.passed += passed;
  total.failed += failed;
}

/** Only a check that hangs is cut off: each step in it has a shorter limit of its own. */
const TIMEOUT_MS = 240_000;

export async function runChecks(title, checks, onFailure = async () => undefined) {
  const counts = { passed: 0, failed: 0 };
  for (const [name, check] of Object.entries(checks)) {
    const started = Date.now();
    let timer;
    const timeout = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error('took too long')), TIMEOUT_MS);
    });
    try {
      await Promise.race([check(), timeout]);
      counts.passed += 1;
      console.log(`ok   ${title}: ${name} (${Date.now() - started} ms)`);
    } catch (error) {
      counts.failed += 1;
      console.log(`FAIL ${title}: ${name}\n${error?.stack ?? error}`);
      await onFailure(name);
    } finally {
      clearTimeout(timer);
    }
  }
  return counts;
}
