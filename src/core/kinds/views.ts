/**
 * The contract between the reports and the kinds of resource: what reports draw of a kind beside its changes. It is optional, and a kind
 * without views is a whole kind. Nothing else in the core knows it; `src/report/kind-views.ts` lists the views.
 */
import type { KindOverview } from '../model/account-overview.ts';
import type { Change } from '../model/change.ts';
import type { Diagram } from '../model/diagram.ts';
import type { JsonObject } from '../model/json.ts';
import type { PlaylistContent } from '../model/run-of-show.ts';
import type { LiveResource } from './resource.ts';

export type { LiveObject, LiveResource, LiveSetting } from './resource.ts';

/** What reports draw of one kind: `views.ts` in the folder of the kind. `Fields` is the canonical form of a resource. */
export interface KindViews<Fields extends JsonObject = JsonObject> {
  /**
   * Returns the diagram of a change of this kind; null where text is enough. The change may come from a saved file, so its fields may have
   * any path and value. Absent = changes of this kind have no diagram.
   */
  diagram?(change: Change): Diagram | null;

  /** Returns what plays in a resource. Absent = resources of this kind hold no list of what plays. */
  contentOf?(fields: Fields): PlaylistContent;

  /**
   * Returns the data of this kind for the page of the whole account (`export --format html`), read at `now`, Unix milliseconds. Absent = the
   * page shows only a number.
   */
  overview?(objects: readonly LiveResource<Fields>[], now: number): KindOverview;
}
