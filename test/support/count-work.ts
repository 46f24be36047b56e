import { Session } from 'node:inspector/promises';

/**
 * Counts how often the blocks of the domain's code are run: a measure of work that nothing else on the machine changes. Started
 * before the code first runs, since only what is compiled afterwards is counted block by block.
 */
export class WorkCounter {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  async stop(): Promise<void> {
    await this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }

  async count(work: () => unknown): Promise<number> {
    await this.#taken();
    work();
    return await this.#taken();
  }

  /** What was run since it was last asked. */
  async #taken(): Promise<number> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => url.includes('/src/domain/'))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  }
}
