import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadDesiredState } from '../../src/core/config/load-desired-state.ts';
import { loadProject } from '../../src/core/config/load-project.ts';
import { diskFiles } from '../../src/core/config/project-folder.ts';
import { isObject } from '../../src/core/model/json.ts';
import { sourceModel } from '../support/source-model.ts';

const tree = diskFiles(fileURLToPath(new URL('../../examples/streaming-account', import.meta.url)));
const { project, findings } = loadProject(tree, '2027-01-01');

function resourcesOf(name: string) {
  const target = project?.targets.find((candidate) => candidate.name === name);
  if (!project || !target) throw new Error(`the example has no target ${name}`);
  return loadDesiredState(tree, project, target, sourceModel);
}

function count(name: string, prefix: string): number {
  return resourcesOf(name).resources.filter(({ address }) => address.startsWith(prefix)).length;
}

test('the upkeep.yaml of the example account has two targets and no finding', () => {
  expect(findings).toEqual([]);
  expect(project?.targets.map((target) => target.name)).toEqual(['staging', 'production']);
});

describe.each(['staging', 'production'])("the example account's target %s", (name) => {
  test('has neither an error nor a warning', () => {
    expect(resourcesOf(name).findings).toEqual([]);
  });

  test('declares three policies, two smart-start groups and every setting', () => {
    const addresses = resourcesOf(name).resources.map(({ address }) => address);
    const groups = new Set(addresses.filter((address) => address.startsWith('smart-start/')).map((address) => address.split('/')[1]));
    expect(addresses).toEqual(expect.arrayContaining(['vmp-reject-statuses', 'static-key', 'key-rotation-schedule']));
    expect([...groups].sort()).toEqual(['archive', 'harbour-clips']);
    expect([count(name, 'drm-policy/'), count(name, 'smart-start/archive/')]).toEqual([3, 8]);
  });
});

test('the overlays of the example account do what their comments say', () => {
  expect([count('production', 'playlist/'), count('staging', 'playlist/')]).toEqual([12, 11]);
  const field = (target: string, address: string) => resourcesOf(target).resources.find((resource) => resource.address === address)?.fields;
  expect(field('production', 'playlist/main-channel')).toMatchObject({ desc: 'Harbour TV' });
  expect(field('staging', 'playlist/maintenance-slate')).toMatchObject({ active: 1 });
  expect(field('production', 'static-key')).toMatchObject({ slicer_ids: ['outside-broadcast', 'studio-a', 'studio-b'] });
  expect(field('staging', 'key-rotation-schedule')).toMatchObject({ unit: 'm', hour: 3 });
});

test('the language of the example account does what its comments say', () => {
  const production = resourcesOf('production').resources;
  const fieldsOf = (key: string) => production.find(({ address }) => address === `playlist/${key}`)?.fields;
  const active = ['late-film', 'winter-special', 'station-ident', 'maintenance-slate'].map((key) => fieldsOf(key)?.active);
  expect(active).toEqual([1, 0, 1, 0]);
  const films = ['evening-block', 'late-film', 'nature-uhd', 'winter-special'];
  const underDrm = production.filter(({ fields }) => fields.studio_drm_required === 1).map(({ address }) => address);
  expect(underDrm.sort()).toEqual(films.map((key) => `playlist/${key}`));
  expect(fieldsOf('morning-magazine')?.playlist).toHaveLength(4);
  expect(fieldsOf('evening-block')?.playlist).toContainEqual({ ad: { dur: 90 } });
});

test('the premium policy of the example account names all five track types', () => {
  const premium = resourcesOf('production').resources.find(({ address }) => address === 'drm-policy/premium');
  const widevine = premium?.fields.widevine;
  const specs = isObject(widevine) && isObject(widevine.content_key_specs) ? Object.keys(widevine.content_key_specs) : [];
  expect(specs.sort()).toEqual(['AUDIO', 'HD', 'SD', 'UHD1', 'UHD2']);
});
