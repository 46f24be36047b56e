import type { CatalogueEntry, Detector } from './catalogue-entry.ts';
import { claimedAfterFailure } from './detectors/claimed-after-failure.ts';
import { claimedWithoutTool } from './detectors/claimed-without-tool.ts';
import { toolFailed } from './detectors/tool-failed.ts';
import { toolSlow } from './detectors/tool-slow.ts';
import type { Thresholds } from './signal.ts';

/** All detectors, in the order in which their signals are listed where turns are equal. */
export const DETECTORS: readonly Detector[] = [toolFailed, toolSlow, claimedAfterFailure, claimedWithoutTool];

/** Every code that the analysis can compute, by code. */
export const CATALOGUE: ReadonlyMap<string, CatalogueEntry> = new Map(
  DETECTORS.map((detector) => [detector.entry.code, detector.entry]),
);

/** The thresholds of one code: the catalogue's defaults under what the agent has set. Names that the code does not know are ignored. */
export function thresholdsOf(entry: CatalogueEntry, settings: Thresholds): Record<string, number> {
  const given = settings[entry.code];
  if (given === undefined) return entry.thresholds;
  const merged: Record<string, number> = {};
  for (const [name, usual] of Object.entries(entry.thresholds)) {
    const value = given[name];
    merged[name] = typeof value === 'number' && Number.isFinite(value) ? value : usual;
  }
  return merged;
}
