/** The VMP rejection set on the service (drm-api-v3 section 4.5). */
import { isFields, isObject } from '../../model/json.ts';
import { asText, asTexts } from '../../model/read.ts';
import { untaken } from '../../model/taken.ts';
import { malformed } from '../../service/errors.ts';
import type { Observation, Planned, Request, Service, Settled, Write } from '../kind.ts';
import { canonical, SECTION } from './spec.ts';

const GET: Request = { method: 'GET', path: '/api/v3/drm/vmp-reject-statuses', repeatable: true };

/** The live set; empty where none was ever set. @throws ServiceError where the list is missing */
export async function read(service: Service): Promise<Observation> {
  const { body } = await service.send(GET);
  const fields = canonical(statusesOf(GET, body));
  const owner = isObject(body) ? asText(body.owner) : undefined;
  const live = { id: '', label: '', fields, nameable: false, section: SECTION, unknown: [] };
  return { objects: [live], notes: [], ...(owner === undefined ? {} : { owner }) };
}

/** The whole set in one request. */
export function writes({ desired }: Planned): readonly Write[] {
  return desired ? [{ method: 'POST', path: '/api/v3/drm/vmp-reject-statuses/update', body: desired.fields, repeatable: true }] : [];
}

/** The answer shows the set as it was sent, in any order. @throws ServiceError (`malformed`) */
export function settle(_planned: Planned, write: Write, body: unknown): Settled {
  const reason = untaken(isFields(write.body) ? write.body : {}, canonical(statusesOf(write, body)));
  return reason === undefined ? { state: 'done' } : { state: 'failed', reason };
}

function statusesOf(request: Request, body: unknown): readonly string[] {
  const statuses = isObject(body) ? asTexts(body[SECTION]) : undefined;
  if (!statuses) throw malformed(request, `its ${SECTION} is not a list of texts`);
  return statuses;
}
