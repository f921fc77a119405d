/** A layer of the sources with its value. */
import type { JsonObject } from '../../model/json.ts';
import type { Layer } from '../source-map.ts';

/** A layer with its value. */
export interface ValueLayer extends Layer {
  readonly value: JsonObject;
}
