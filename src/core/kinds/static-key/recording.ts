/** The words of the static key and of the slicers that it names that a recording keeps. */
import type { KindWords } from '../recording.ts';
import { SLICERS, STATUS, updateOf } from './api.ts';
import { SLICER_ENDPOINT } from './slicer-references.ts';

/** The words of the static key. */
export const staticKeyWords: KindWords = {
  paths: [STATUS, updateOf(STATUS), SLICERS, updateOf(SLICERS), SLICER_ENDPOINT.v2.path, SLICER_ENDPOINT.v4],
  texts: ['static_key_slicer_ids', 'slicer_ids', 'slicer_id', 'slicers', 'slicer'],
  booleans: ['use_static_encryption_key'],
  values: { '@type': ['Slicer'], state: ['ready', 'running', 'error', 'failed', 'live', 'online', 'offline'] },
};
