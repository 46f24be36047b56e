import { ANALYSER_DEFAULTS, type Analyser, createAnalyser } from '../../src/analyser/analyser.ts';

let shared: Analyser | undefined;

/**
 * The product's analyser, of which the files of a process share one: each of its own would start a process that loads all
 * rules. One process, since no processor is idle. It ends with ours.
 */
export function testAnalyser(): Analyser {
  shared ??= createAnalyser({ ...ANALYSER_DEFAULTS, processes: 1 });
  return { ...shared, close: async () => {} };
}
