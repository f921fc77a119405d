/**
 * The settings by which a policy demands robustness and output protection, each a dimension with its own order of strength: the values in
 * the tables of drm-api-v3 sections 2.2 to 2.4, from the weakest to the strongest, and their meaning.
 */
import type { System } from '../model/impact.ts';
import { equal, type Json, type Path } from '../model/json.ts';

/** A setting that protects content, and the order of its values. */
export interface Dimension {
  readonly name: string;
  /** Path of the setting below the rules of one resolution or track. */
  readonly path: Path;
  /** Section of the API documents that lists its values. */
  readonly section: string;
  /** Weakest first, each with its meaning in a few words. */
  readonly values: readonly (readonly [value: Json, meaning: string])[];
}

const FAIRPLAY: readonly Dimension[] = [
  at22('hdcp_enforcement', [
    [-1, 'no HDCP'],
    [0, 'HDCP of any version'],
    [1, 'HDCP 2.2 or later'],
  ]),
  at22('allow_airplay', [
    [true, 'AirPlay allowed'],
    [false, 'no AirPlay'],
  ]),
  at22('allow_av_adapter', [
    [true, 'AV adapter allowed'],
    [false, 'no AV adapter'],
  ]),
];

const WIDEVINE: readonly Dimension[] = [
  at23(
    ['security_level'],
    [
      [1, 'cryptography in software'],
      [2, 'cryptography in software, obfuscated decoder'],
      [3, 'keys and cryptography in a hardware TEE'],
      [4, 'cryptography and decoding in a hardware TEE'],
      [5, 'all media operations in a hardware TEE'],
    ],
  ),
  at23(
    ['required_output_protection', 'hdcp'],
    [
      ['HDCP_NONE', 'no HDCP'],
      ['HDCP_V1', 'HDCP 1.x or later'],
      ['HDCP_V2', 'HDCP 2.0 or later'],
      ['HDCP_V2_1', 'HDCP 2.1 or later'],
      ['HDCP_V2_2', 'HDCP 2.2 or later'],
      ['HDCP_NO_DIGITAL_OUTPUT', 'internal display only'],
    ],
  ),
  at23(
    ['required_output_protection', 'disable_analog_output'],
    [
      [false, 'analog output allowed'],
      [true, 'no analog output'],
    ],
  ),
  at23(
    ['required_output_protection', 'cgms_flags'],
    [
      ['CGMS_NONE', 'no copy mark'],
      ['COPY_FREE', 'unlimited copies'],
      ['COPY_ONCE', 'one generation of copies'],
      ['COPY_NEVER', 'no copying'],
    ],
  ),
  at23(
    ['required_output_protection', 'hdcp_srm_rule'],
    [
      ['HDCP_SRM_RULE_NONE', 'any list of revoked devices'],
      ['CURRENT_SRM', 'the current list of revoked devices'],
    ],
  ),
];

const PLAYREADY: readonly Dimension[] = [
  at24('security_level', [
    [150, 'no security'],
    [2000, 'hardened devices and applications'],
    [3000, 'hardware TEE'],
  ]),
  at24('digital_video_protection_level', [
    [100, 'free on digital outputs'],
    [250, 'HDCP is tried'],
    [270, 'without HDCP at most 520,000 pixels per frame'],
    [300, 'HDCP required'],
    [301, 'no digital outputs'],
  ]),
  at24('require_hdcp_type_1', [
    [false, 'any HDCP version'],
    [true, 'HDCP 2.2 or later'],
  ]),
  at24('analog_video_protection_level', [
    [100, 'free on analog outputs'],
    [150, 'CGMS-A is tried'],
    [200, 'CGMS-A required'],
    [201, 'no analog outputs'],
  ]),
  at24('compressed_digital_audio_protection_level', [
    [100, 'free on digital outputs'],
    [301, 'not on digital outputs'],
  ]),
  at24('uncompressed_digital_audio_protection_level', [
    [100, 'free on digital outputs'],
    [250, 'only with HDCP, or SCMS at CopyNever'],
    [300, 'only with HDCP'],
    [301, 'not on digital outputs'],
  ]),
  at24('play_enabler', [
    [true, 'virtual machines may play'],
    [false, 'no virtual machines'],
  ]),
];

/** The dimensions of each DRM system. */
export const DIMENSIONS: { readonly [system in System]: readonly Dimension[] } = {
  fairplay: FAIRPLAY,
  widevine: WIDEVINE,
  playready: PLAYREADY,
};

/**
 * Returns the rank of a value in its dimension, 0 for the weakest; -1 for a value that the API documents do not list, of which nobody knows how
 * strong it is.
 */
export function strengthOf({ values }: Dimension, value: Json): number {
  return values.findIndex(([listed]) => equal(listed, value));
}

/** Returns the meaning of a value in words. */
export function meaningOf({ values }: Dimension, value: Json): string {
  return values.find(([listed]) => equal(listed, value))?.[1] ?? 'not in the API documents';
}

function at22(name: string, values: Dimension['values']): Dimension {
  return { name, path: [name], section: 'drm-api-v3 2.2', values };
}

function at23(path: readonly string[], values: Dimension['values']): Dimension {
  return { name: path.at(-1) ?? '', path, section: 'drm-api-v3 2.3', values };
}

function at24(name: string, values: Dimension['values']): Dimension {
  return { name, path: [name], section: 'drm-api-v3 2.4', values };
}
