/**
 * The kinds of resource. Each folder has `index.ts` (the kind), `declare.ts` (from the configuration) and `api.ts` (reads), and for what
 * surrounds the core `views.ts` (reports), `recording.ts` and `probe.ts`. A collection also has `model.ts` (the canonical form), `validate.ts`
 * (checks beyond the schema), `requests.ts` (writes), `risk.ts`, `to-config.ts` (`export`) and `config-edits.ts` (`drift accept`). A setting is
 * small: its `declare.ts` and `api.ts` hold these, and its `risk.ts` only what is more than a line. Each file exports the members of the
 * contract in `kind.ts` under the names they have there. Beside these, the same helpers mean the same in every kind: `SECTION` and `ADDRESS`
 * (of a setting), `canonical` (builds canonical fields), `liveOf` and `pathOf` (an object of a response, and its path), `whyNotDeclarable`.
 */

import { drmPolicy } from './drm-policy/index.ts';
import { keyRotationSchedule } from './key-rotation-schedule/index.ts';
import type { Kind } from './kind.ts';
import { playlist } from './playlist/index.ts';
import { staticKey } from './static-key/index.ts';
import { vmpRejectStatuses } from './vmp-reject-statuses/index.ts';

/** Every kind, sorted by name. A new kind is a folder and a line here. */
export const kinds: readonly Kind[] = [drmPolicy, keyRotationSchedule, playlist, staticKey, vmpRejectStatuses];
