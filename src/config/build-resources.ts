/** Builds desired resources in the kinds' canonical form from the merged sources. */
import type { DeclareServices, DesiredResource, Kind, UnlocatedFinding } from '../kinds/kind.ts';
import type { JsonObject } from '../model/json.ts';
import { sectionsOf } from './source-schema.ts';

/** A finding, and the kind that found it. */
export interface KindFinding {
  readonly kind: Kind;
  readonly finding: UnlocatedFinding;
}

/** The desired resources and the findings of all kinds with valid sections. */
export interface BuiltResources {
  readonly resources: readonly DesiredResource[];
  readonly findings: readonly KindFinding[];
}

/** Declares the resources of every kind. `accepted` are the sections without invalid parts, because a kind relies on its schema. */
export function buildResources(accepted: JsonObject, kinds: readonly Kind[], services: DeclareServices): BuiltResources {
  const resources: DesiredResource[] = [];
  const findings: KindFinding[] = [];
  for (const kind of kinds) {
    const sections = sectionsOf(kind, accepted);
    if (sections === undefined) continue;
    const declared = kind.declare(sections, services);
    for (const resource of declared.resources) resources.push(resource);
    for (const finding of declared.findings) findings.push({ kind, finding });
  }
  return { resources, findings };
}
