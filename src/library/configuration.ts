/** The types of upkeep.yaml and of a source file, from their schemas: `npm run generate` writes them. */

/** The targets of a project: which accounts there are, what describes them, and how they may be changed. */
export interface ProjectFile {
  /** Version of this format: 1. */
  version: 1;
  /**
   * The name under which the ledger records whose it is. Default: the folder of upkeep.yaml in its repository. A ledger in a repository of
   * its own needs it.
   */
  project?: string;
  /**
   * Severity of findings by code: a map, or a list whose entries may name a place. Structural errors (unknown keys, wrong types, unreadable
   * files, ...) cannot be lowered. Default: {}.
   */
  rules?: { [key: string]: Severity | {
    level: Severity;
    within?: Within;
  } } | readonly {
    /** The code of the findings. */
    code: string;
    /** A glob of the addresses that they are about. */
    address?: string;
    /** A glob of the files that they are in, relative to the folder of upkeep.yaml. */
    file?: string;
    severity: Severity;
    within?: Within;
    /** The reason, for whoever reads it later. */
    why?: string;
    /** The last day on which it counts, in UTC. Afterwards it has no effect and is a finding. */
    until?: string;
  }[];
  /** Your own checks of changes, in CEL (Common Expression Language). guard.schema.json describes their variables. Default: []. */
  guards?: readonly {
    /** Its name in reports. */
    id: string;
    /** Asked first: only where this is true, the guard speaks. */
    when?: string;
    /** Where this is true, the change is blocked. */
    deny?: string;
    /** Where this is true, the plan carries a warning. */
    warn?: string;
    /** The message that the reviewer sees. */
    message: string;
  }[];
  /** Receivers of notifications about runs. Their addresses come from the environment. Default: []. */
  notify?: readonly {
    /** Where the address is found. It is a secret: whoever knows it can write to the receiver. */
    url: Variable;
    /** The events of which the receiver is told. */
    on: readonly ('failed' | 'blocked' | 'drift' | 'applied')[];
    /**
     * The form of the notification. json: notification.schema.json. slack: a message for an incoming webhook. teams: an Adaptive Card for a
     * webhook of Workflows. Default: "json".
     */
    format?: 'json' | 'slack' | 'teams';
    /** Where the key is found with which notifications are signed (HMAC-SHA256). */
    secret?: Variable;
  }[];
  /** When changes of any target may be applied: deny and allow, each a list of times with reasons. */
  windows?: Windows;
  /**
   * Device classes, by key: lower-case letters, digits and dashes. A class with the key of a built-in one replaces it; one that says only
   * `expected` keeps everything else; null switches the built-in class off. Default: {}.
   */
  devices?: { [key: string]: Device };
  /** One target for each account, by name: lower-case letters, digits and dashes; `locks` is reserved. */
  targets: { [key: string]: Target };
}

/**
 * When changes may be applied: at no time that an entry of `deny` covers, and, if there is `allow`, only at those that one of its entries
 * covers.
 */
export interface Windows {
  /** The time zone of `cron`, and of times without Z or an offset: a name of the IANA database. */
  time_zone?: string;
  /** When nothing may be applied. */
  deny?: readonly {
    from?: WindowFrom;
    until?: WindowUntil;
    cron?: WindowCron;
    for?: WindowFor;
    why: WindowWhy;
    /** What is applied all the same: a plan each change of which is one of these. */
    unless?: readonly ('strengthens' | 'reverts')[];
  }[];
  /** The only times at which something may be applied. */
  allow?: readonly {
    from?: WindowFrom;
    until?: WindowUntil;
    cron?: WindowCron;
    for?: WindowFor;
    why: WindowWhy;
  }[];
}

/** When it begins: a date and a time, local or with Z or an offset. Without it: it has begun. */
export type WindowFrom = string;

/** When it ends: a date and a time, local or with Z or an offset. It does not cover this moment. Without it: it has no end. */
export type WindowUntil = string;

/** When it begins, again and again: minute, hour, day of the month, month and day of the week, in `time_zone`. */
export type WindowCron = string;

/** How long it lasts each time, in minutes, hours or days of 24 hours; at most 366 days. */
export type WindowFor = string;

/** The reason, for whoever has to wait. */
export type WindowWhy = string;

/** How long before an event it is reported: days or hours. Only for findings about events. */
export type Within = string;

/** off = not reported; warning = reported; error = stops every command. */
export type Severity = 'off' | 'warning' | 'error';

/** One account. */
export interface Target {
  /** Address of the service without /api: https, or http for a loopback address. */
  base_url: string;
  /**
   * Where the user ID and a key are found, never the values themselves: `owner` and one of `api_key` and `scoped_key`, or such a pair each
   * for `read` and `write`.
   */
  credentials: {
    /** Where the user ID is found. */
    owner?: Credential;
    /** Where the API key is found. */
    api_key?: Credential;
    /** Where a scoped key is found: the text of the file that was downloaded with it. */
    scoped_key?: Credential;
    /** The pair that reads. Only `apply` takes the other one as well, to write and to verify; `doctor` checks both. */
    read?: CredentialPair;
    /** The pair that writes. It is of the same account. */
    write?: CredentialPair;
  };
  /** Files, or folders that are searched for *.yaml and *.yml files at any depth, inside the project. Later ones overlay earlier ones. */
  sources: readonly (string | {
    /** A file or a folder, relative to the folder of upkeep.yaml. */
    path: string;
    /**
     * Values for the resources that this source declares first, by section. Defaults of a file, templates and the fields of a resource take
     * precedence.
     */
    defaults?: { [key: string]: { [key: string]: unknown } };
  })[];
  /**
   * Values for ${name} in the sources: texts, numbers, true and false. They are literals and never come from the environment. Default: {}.
   */
  vars?: { [key: string]: string | number | boolean };
  /**
   * What may be deleted. `shared`: what upkeep applied and the repository no longer declares. `exclusive`: also what nobody declares.
   * `observe`: nothing is written at all. Default: "shared".
   */
  ownership?: 'shared' | 'exclusive' | 'observe';
  /**
   * Where applies are recorded. `git`: in refs of the git remote. `{ git: ADDRESS }`: in refs of a repository of its own. `none`: nowhere.
   * Default: "none".
   */
  ledger?: 'git' | 'none' | {
    /**
     * The repository that holds the ledger and the lock: https://HOST/PATH, ssh://USER@HOST/PATH, or a path outside of the work tree,
     * relative to the folder of upkeep.yaml.
     */
    git: string;
  };
  /** The git remote from which commits are fetched. With `ledger: git` it holds the ledger and the lock. Default: "origin". */
  remote?: string;
  /** The branch of the remote that a commit must be on to be applied. */
  branch?: string;
  /** Globs of the targets before this one: an apply waits until each of them has carried the same configuration. Default: []. */
  after?: readonly string[];
  /** How long the targets of `after` must have carried a configuration before this one gets it: minutes, hours or days. */
  soak?: string;
  /**
   * Globs of what this project may declare, take over, change and delete. A declaration is matched by its address, a live object by its
   * live name or its address by ID (playlist/~ID). A declaration outside of it is an error, an object outside of it is not taken over, and
   * deleted only where this project created it. Without it: everything.
   */
  manages?: readonly string[];
  /**
   * Globs of addresses or live names. What they match may not be deleted or forgotten, changed so that protection is weakened or playback
   * stops, or moved or renamed so that they match it no longer. Default: [].
   */
  protect?: readonly string[];
  /** When changes of this target may be applied, beside the windows at the top: both must be open. */
  windows?: Windows;
  /** How much one plan may change in each kind before it is blocked. Default: {}. */
  limits?: {
    /** Limits of active playlists that are deleted or switched off. That all of them are is always blocked. Default: {}. */
    off_air?: {
      /** Most active playlists that go off air. Default: 5. */
      count?: number;
      /** Most active playlists that go off air, in percent of all active ones, where ten or more are active. Default: 10. */
      percent?: number;
    };
    /** Limits of deletes. Default: {}. */
    delete?: {
      /** Most deletes of one kind. Default: 5. */
      count?: number;
      /** Most deletes of one kind, in percent of its live objects, where ten or more are live. Default: 30. */
      percent?: number;
    };
    /** Limits of updates. Default: {}. */
    update?: {
      /** Most updates of one kind, in percent of its live objects, where ten or more are live. Default: 50. */
      percent?: number;
    };
  };
  /** What `ignore_changes` of the sources may do. Default: {}. */
  ignore_changes?: {
    /** Whether the sources may have `ignore_changes`. Default: true. */
    allowed?: boolean;
    /**
     * Globs of addresses, also of the former one where an object moves, of which no edit by hand of an ignored field is drift, even if it
     * weakens protection or stops playback. Default: [].
     */
    risky_edits?: readonly string[];
  };
  /**
   * Changes that weaken the protection of content. `block`: blocked until overridden. `allow`: applied like any other. Default: "block".
   */
  weakening?: 'block' | 'allow';
  /**
   * Changes by which viewers lose playback: active playlists go off air beyond `limits.off_air`, or an expected class of devices plays
   * nothing any more. `block`: blocked until overridden. `allow`: applied like any other. `strict`: all that goes off air, and what stops
   * or reduces playback or may affect it, is blocked, whatever `limits.off_air` is. Devices that are not expected to play never block.
   * Default: "block".
   */
  playback_loss?: 'block' | 'allow' | 'strict';
  /** How the service may be used. Default: {}. */
  http?: {
    /** Most requests at the same time. Default: 8. */
    concurrency?: number;
    /** Requests per second; 0 = unlimited. Default: 10. */
    requests_per_second?: number;
    /** Longest duration of one attempt, in seconds. Default: 30. */
    timeout_seconds?: number;
    /** How long one request is retried, in seconds. Default: 20. */
    give_up_seconds?: number;
    /**
     * How long a run may send requests, in seconds: then nothing more is sent, and requests in flight finish; 0 = unlimited. Default: 0.
     */
    run_seconds?: number;
    /** Largest response, decompressed, in MiB. Default: 80. */
    max_body_mib?: number;
  };
  /** What differs from one service to another. Default: {}. */
  service?: {
    /**
     * How v3 takes its data. `form`: signed parameters and item in the form body. `json`: signature in the query, item as JSON body.
     * Default: "form".
     */
    v3_post?: 'form' | 'json';
    /**
     * Where the signature of an API key stands, unless a form holds it. `query`: as `msg` and `sig` in the query. `header`: as
     * `Authorization: MSG SIG`. Default: "query".
     */
    signature_in?: 'query' | 'header';
    /**
     * How v3 and v2 take their data with a scoped key. `json`: as JSON body. `form`: in the message of a form body, without a signature.
     * Default: "json".
     */
    scoped_key_v3_post?: 'json' | 'form';
    /** Most assets in one bulk request. Default: 100. */
    smart_start_batch?: number;
    /** How long a run waits in all until reads show what was written, seconds. `0`: reads show it at once. Default: 10. */
    settle_seconds?: number;
    /** Where references are checked. `v2`: by ID, a thousand per request. `v4`: in the list of all. Default: "v2". */
    reference_api?: 'v2' | 'v4';
    /** From when the service counts the retention of an asset. `unknown`: reports name the retention without a date. Default: "unknown". */
    retention_from?: 'unknown' | 'created';
    /** The states of assets in which they can be played, in any case of letters. Default: ["ok","ready"]. */
    asset_ready_states?: readonly string[];
    /**
     * Members of the service that an update may reset, as JSON Pointers below a policy, a playlist or the rotation schedule; `*` is any
     * element of a list. Default: [].
     */
    resettable_members?: readonly string[];
  };
  /** References that plan and apply check before planning. An unknown ID is an error at its place. Default: {}. */
  check?: {
    /** Whether the assets of playlists and smart starts are checked. Default: false. */
    assets?: boolean;
    /** Whether the slicers of the static key are checked. Default: false. */
    slicers?: boolean;
  };
}

/** An environment variable. */
export interface Variable {
  /** Name of the environment variable. */
  env: string;
}

/** Where the user ID and one key are found. */
export interface CredentialPair {
  /** Where the user ID is found. */
  owner: Credential;
  /** Where the API key is found. */
  api_key?: Credential;
  /** Where a scoped key is found: the text of the file that was downloaded with it. */
  scoped_key?: Credential;
}

/** Where one credential is found: exactly one of env, file and command. */
export interface Credential {
  /** Name of an environment variable. */
  env?: string;
  /** Path of a file that holds the value, relative to the folder of upkeep.yaml. */
  file?: string;
  /** A program and its arguments, run without a shell; what it prints is the value. */
  command?: readonly string[];
}

/**
 * A class of devices: one way to watch. A device that is watched in several ways is several classes. What it must say depends on its DRM
 * system.
 */
export type Device = {
  expected?: DeviceExpected;
  /** The DRM system. */
  system?: 'fairplay' | 'widevine' | 'playready';
} | null | FairplayDevice | WidevineDevice | PlayreadyDevice;

/** For people. Default: the key. */
export type DeviceName = string;

/**
 * Whether it is expected to play, so that a change by which it loses all playback is blocked. Default: false for a browser with VMP status
 * PLATFORM_UNVERIFIED or PLATFORM_TAMPERED, a virtual machine and an outdated SRM; else true.
 */
export type DeviceExpected = boolean;

/** The weakest HDCP version on the path of the picture; none = no HDCP. Default: none. */
export type DeviceHdcp = 'none' | '1.x' | '2.0' | '2.1' | '2.2';

/**
 * Where the picture goes: the built-in display, a digital cable, a digital cable through an HDCP repeater, an analog cable. The device
 * plays where one of them may be used.
 */
export type DeviceOutputs = readonly ('internal' | 'digital' | 'repeater' | 'analog')[];

/** Whether people use it offline, so that a policy without offline playback takes something away. Default: false. */
export type DeviceOffline = boolean;

/** Whether it can mark analog outputs with CGMS-A. Default: false. */
export type DeviceCgmsA = boolean;

/** A device with FairPlay. */
export interface FairplayDevice {
  /** The DRM system. */
  system: 'fairplay';
  name?: DeviceName;
  expected?: DeviceExpected;
  hdcp?: DeviceHdcp;
  /**
   * Where the picture goes: the built-in display, a digital cable, a digital cable through an HDCP repeater, an analog cable, AirPlay, the
   * digital AV adapter. The device plays where one of them may be used.
   */
  outputs: readonly ('internal' | 'digital' | 'repeater' | 'analog' | 'airplay' | 'av_adapter')[];
  offline?: DeviceOffline;
}

/** A device with Widevine. */
export interface WidevineDevice {
  /** The DRM system. */
  system: 'widevine';
  name?: DeviceName;
  expected?: DeviceExpected;
  /**
   * As in content_key_specs: 1 and 2 = software, 3 to 5 = hardware TEE. Android counts the other way: its L3 is 1 or 2 here, its L1 is 5.
   */
  security_level: 1 | 2 | 3 | 4 | 5;
  hdcp?: DeviceHdcp;
  outputs: DeviceOutputs;
  /** The VMP status that it reports, for example PLATFORM_SOFTWARE_VERIFIED. Left out = not known. */
  vmp_status?: string;
  cgms_a?: DeviceCgmsA;
  /** Whether its list of revoked HDCP devices (SRM) is current or can be brought up to date. Default: unknown. */
  srm?: 'current' | 'outdated' | 'unknown';
  /** Whether it is a browser on a desktop, for which cgms_flags must not be set. Default: false. */
  desktop_browser?: boolean;
  offline?: DeviceOffline;
}

/** A device with PlayReady. */
export interface PlayreadyDevice {
  /** The DRM system. */
  system: 'playready';
  name?: DeviceName;
  expected?: DeviceExpected;
  /** As in a policy: 150, 2000 or 3000. */
  security_level: 150 | 2000 | 3000;
  hdcp?: DeviceHdcp;
  outputs: DeviceOutputs;
  cgms_a?: DeviceCgmsA;
  /** Whether it is a virtual machine. Default: false. */
  virtual_machine?: boolean;
  offline?: DeviceOffline;
}

/** What an account should hold, in any number of files. Kinds without a section in the sources are neither read nor changed. */
export interface SourceFile {
  /** Binds live objects explicitly, before every other rule: the address of a declared resource and the remote ID of its object. */
  adopt?: { [key: string]: string };
  /** Resources that are declared under a new address: the live object stays the same, so that a rename does not delete and create it. */
  moved?: readonly {
    /** The old address, for example playlist/old-name. */
    from: string;
    /** The new address, which is declared. */
    to: string;
  }[];
  /** Addresses that are no longer declared, and whose live objects stay: upkeep forgets them instead of deleting them. */
  removed?: readonly string[];
  /** Fields that are left to others: upkeep neither compares nor writes them, except that a create sends the declared value. */
  ignore_changes?: readonly {
    /** A glob of addresses, for example playlist/*. */
    address: string;
    /** JSON Pointers: a slash before each name. Each covers everything below it. */
    fields: readonly string[];
    /** The last day on which the fields are left to others, in UTC. Without it there is no end. */
    until?: string;
    /** Why, for those who read a plan. */
    why?: string;
  }[];
  /**
   * DRM policies by policy_name. A setting that is left out stands at its default: a policy is sent and compared whole. {} = managed, and
   * none wanted.
   */
  drm_policies?: { [key: string]: DrmPolicy };
  /**
   * When the static key is replaced by a new one. {} = never, the same as enabled: false. Fields that are left out are neither compared nor
   * sent.
   */
  key_rotation_schedule?: {
    /** Whether the key is rotated; true needs frequency, unit and hour. How an account begins: false. */
    enabled?: boolean | `\${${string}}`;
    /** Number of units from one rotation to the next, 1 or more. */
    frequency?: number | `\${${string}}`;
    /** d = days; m = months. */
    unit?: 'd' | 'm';
    /** Hour of the day of a rotation, 0 to 23, UTC. */
    hour?: number | `\${${string}}`;
    /** Time of the next rotation, in Unix milliseconds. It counts only while it lies in the future: the service moves it by itself. */
    next_rotation?: number | `\${${string}}`;
  };
  /** Virtual linear playlists, by a key of your own. Its presence makes playlists managed; {} means that there are none. */
  playlists?: { [key: string]: Playlist };
  /**
   * Groups of one-asset playlists that share their settings. Each asset gets a playlist with the asset's own ID, which starts players
   * faster where ads are inserted by the server.
   */
  smart_starts?: { [key: string]: SmartStart };
  /** The asset catalog: names for asset IDs, to be used in beam and assets. Nothing in it is sent to the service. */
  assets?: { [key: string]: CatalogAsset };
  /** Which live slicers encrypt with a static key instead of changing keys. */
  static_key?: {
    /** all = every live slicer; specific = those in slicer_ids; none = no slicer, which is how an account begins. */
    scope: 'all' | 'specific' | 'none';
    /** The slicers, with scope specific only: a set, in any order. */
    slicer_ids?: readonly string[];
  };
  /**
   * Verified Media Path statuses for which a license request is rejected: a set, in any order. [] = none is rejected, which is how an
   * account begins. Default: [].
   */
  vmp_reject_statuses?: readonly string[];
  /** Values for the resources that this file declares first, by section. A template and the fields of a resource take precedence. */
  defaults?: {
    /** Values for each member of drm_policies. */
    drm_policies?: { [key: string]: unknown };
    /** Values for each member of playlists. */
    playlists?: { [key: string]: unknown };
    /** Values for each member of smart_starts. */
    smart_starts?: { [key: string]: unknown };
    /** Values for each member of assets. */
    assets?: { [key: string]: unknown };
  };
  /** Templates by name, for all sources of the target. Each has the body of one resource. */
  templates?: { [key: string]: {
    /** The parameters by name: a type, or a type and a default. A parameter without a default must be given. */
    params?: { [key: string]: string | {
      /** The type of the values. `entries` is a list of playlist entries. */
      type: 'string' | 'integer' | 'number' | 'boolean' | 'entries';
      /** The value where none is given. */
      default?: string | number | boolean | readonly unknown[];
      /** What the parameter means, for readers. */
      description?: string;
    } };
    /** The body of a member of drm_policies, with ${name} for parameters. */
    drm_policy?: { [key: string]: unknown };
    /** The body of a member of playlists, with ${name} for parameters. */
    playlist?: { [key: string]: unknown };
    /** The body of a member of smart_starts, with ${name} for parameters. */
    smart_start?: { [key: string]: unknown };
    /** The body of a member of assets, with ${name} for parameters. */
    asset?: { [key: string]: unknown };
  } };
  /** Lists of entries by name, for all sources of the target. `{ include: NAME }` in a list puts them there. */
  entry_lists?: { [key: string]: readonly { [key: string]: unknown }[] };
  /** Tables: each row makes one member of drm_policies from a template. */
  drm_policies_from?: readonly {
    /** A CSV file in UTF-8, relative to this file. Its first line names the columns, which are parameters. */
    file?: string;
    /** What divides the cells of the file. Absent = as its line `sep=` says, or as its header shows. */
    delimiter?: ',' | ';' | '	';
    /** Rows in place of a file: maps of parameters. */
    rows?: readonly { [key: string]: unknown }[];
    /** The name of a template for a drm_policy. */
    template: string;
    /** The key of each drm_policy, from columns and variables. */
    key: string;
  }[];
  /** Tables: each row makes one member of playlists from a template. */
  playlists_from?: readonly {
    /** A CSV file in UTF-8, relative to this file. Its first line names the columns, which are parameters. */
    file?: string;
    /** What divides the cells of the file. Absent = as its line `sep=` says, or as its header shows. */
    delimiter?: ',' | ';' | '	';
    /** Rows in place of a file: maps of parameters. */
    rows?: readonly { [key: string]: unknown }[];
    /** The name of a template for a playlist. */
    template: string;
    /** The key of each playlist, from columns and variables. */
    key: string;
  }[];
  /** Tables: each row makes one member of smart_starts from a template. */
  smart_starts_from?: readonly {
    /** A CSV file in UTF-8, relative to this file. Its first line names the columns, which are parameters. */
    file?: string;
    /** What divides the cells of the file. Absent = as its line `sep=` says, or as its header shows. */
    delimiter?: ',' | ';' | '	';
    /** Rows in place of a file: maps of parameters. */
    rows?: readonly { [key: string]: unknown }[];
    /** The name of a template for a smart_start. */
    template: string;
    /** The key of each smart_start, from columns and variables. */
    key: string;
  }[];
  /** Tables: each row makes one member of assets from a template. */
  assets_from?: readonly {
    /** A CSV file in UTF-8, relative to this file. Its first line names the columns, which are parameters. */
    file?: string;
    /** What divides the cells of the file. Absent = as its line `sep=` says, or as its header shows. */
    delimiter?: ',' | ';' | '	';
    /** Rows in place of a file: maps of parameters. */
    rows?: readonly { [key: string]: unknown }[];
    /** The name of a template for an asset. */
    template: string;
    /** The key of each asset, from columns and variables. */
    key: string;
  }[];
}

/** One policy: its rules for each of the three DRM systems. {} = the default policy. */
export interface DrmPolicy {
  /** The name of the template that makes this drm_policy. The fields beside it take precedence. */
  template?: string;
  /** Values for the parameters of the template, beside `template`. */
  with?: { [key: string]: unknown };
  /** Rules for licenses of FairPlay. */
  fairplay?: DrmFairplay | null;
  /** Rules for licenses of Widevine. */
  widevine?: DrmWidevine | null;
  /** Rules for licenses of PlayReady. */
  playready?: DrmPlayready | null;
}

/** Rules for licenses of FairPlay. */
export interface DrmFairplay {
  /** Rules for standard-definition tracks (576p or less). */
  sd?: DrmFairplayResolution | null;
  /** Rules for high-definition tracks (720p and 1080p). */
  hd?: DrmFairplayResolution | null;
  /** Rules for 4K tracks. */
  uhd1?: DrmFairplayResolution | null;
  /** Rules for 8K tracks. */
  uhd2?: DrmFairplayResolution | null;
  /** How long the content key is valid, in seconds. Default: 0. */
  key_duration_seconds?: number | `\${${string}}` | null;
  /** Whether a client may renew its lease; it plays only while the lease is valid. Default: false. */
  lease?: boolean | `\${${string}}` | null;
  /**
   * How long a client may play, in seconds from the moment it gets the content key; playback stops then. Above 0 it needs persistence:
   * true, and lease: true to be of use. Default: 0.
   */
  lease_duration_seconds?: number | `\${${string}}` | null;
  /** Whether content may be played offline. Default: false. */
  persistence?: boolean | `\${${string}}` | null;
  /** How long content may be played offline, in seconds. Of use only with persistence: true. Default: 0. */
  persistence_duration_seconds?: number | `\${${string}}` | null;
  /**
   * How long playback is valid, in seconds from its first start; for offline playback and lease renewal, iOS 11 or later. Above 0 it needs
   * persistence: true; 0 = the license does not expire. Default: 0.
   */
  playback_duration_seconds?: number | `\${${string}}` | null;
  /** Whether content may be rented for offline playback. Default: false. */
  rental?: boolean | `\${${string}}` | null;
  /**
   * How long the content key is valid before playback first starts, in seconds from the moment the client gets it. Left out, it does not
   * expire; 0 is the default, and read as left out. Default: 0.
   */
  rental_duration_seconds?: number | `\${${string}}` | null;
}

/** What FairPlay demands for tracks of one resolution. */
export interface DrmFairplayResolution {
  /** Whether playback may be cast with AirPlay. Default: true. */
  allow_airplay?: boolean | `\${${string}}` | null;
  /** Whether the picture may be mirrored through the digital AV adapter. Default: true. */
  allow_av_adapter?: boolean | `\${${string}}` | null;
  /**
   * The HDCP that is enforced. -1 = none; 0 = type 0, any HDCP device, also behind a repeater; 1 = type 1 (version 2.2 or later), and no
   * repeater may pass it on to HDCP 1.x devices or HDCP 2.0 repeaters. Default: -1.
   */
  hdcp_enforcement?: -1 | 0 | 1 | `\${${string}}` | null;
}

/** Rules for licenses of Widevine. */
export interface DrmWidevine {
  /**
   * Which content keys are given out, by track type. All tracks must be covered: ALL; or ALL_VIDEO and AUDIO; or SD, HD, UHD1, UHD2 and
   * AUDIO. Default: one element for ALL at level 1 without output protection.
   */
  content_key_specs?: readonly DrmContentKeySpec[] | null;
  /**
   * Rules of the license; they win over a policy that is assigned to the asset itself. Where it is written, can_play must be written too.
   */
  policy_overrides?: DrmPolicyOverrides | null;
}

/** What Widevine demands for one type of track. */
export interface DrmContentKeySpec {
  /**
   * The tracks. SD = 576p or less; HD = 720p and 1080p; UHD1 = 4K; UHD2 = 8K; AUDIO; ALL_VIDEO = all but audio; ALL = all tracks. Default:
   * ALL.
   */
  track_type?: 'ALL' | 'ALL_VIDEO' | 'SD' | 'HD' | 'UHD1' | 'UHD2' | 'AUDIO';
  /**
   * How well the device must protect keys and content. 1 = cryptography in software (white box); 2 = the same with an obfuscated decoder; 3
   * = keys and cryptography in a hardware TEE; 4 = cryptography and decoding in a hardware TEE; 5 = the whole media path in a hardware TEE.
   * 3 to 5 need hdcp written in the same element. Default: 1.
   */
  security_level?: 1 | 2 | 3 | 4 | 5 | `\${${string}}`;
  /** What the outputs of the device must do. */
  required_output_protection?: DrmOutputProtection;
}

/** What Widevine demands of the outputs of a device; values are case-sensitive. */
export interface DrmOutputProtection {
  /**
   * The HDCP that is demanded. HDCP_NONE = none; HDCP_V1, HDCP_V2, HDCP_V2_1, HDCP_V2_2 = that version or later; HDCP_NO_DIGITAL_OUTPUT =
   * only the built-in display. Default: HDCP_NONE.
   */
  hdcp?: 'HDCP_NONE' | 'HDCP_V1' | 'HDCP_V2' | 'HDCP_V2_1' | 'HDCP_V2_2' | 'HDCP_NO_DIGITAL_OUTPUT';
  /** Whether analog outputs are forbidden. Default: false. */
  disable_analog_output?: boolean | `\${${string}}`;
  /**
   * Copy control on analog outputs. CGMS_NONE = none; COPY_FREE = copies without limit; COPY_ONCE = one generation of copies; COPY_NEVER =
   * no copies. Must stay CGMS_NONE for desktop browsers. Default: CGMS_NONE.
   */
  cgms_flags?: 'CGMS_NONE' | 'COPY_FREE' | 'COPY_ONCE' | 'COPY_NEVER';
  /**
   * Whether the device must know the list of revoked HDCP devices. HDCP_SRM_RULE_NONE = any version of it will do; CURRENT_SRM = no key for
   * a device whose list is old and cannot be brought up to date. Default: HDCP_SRM_RULE_NONE.
   */
  hdcp_srm_rule?: 'HDCP_SRM_RULE_NONE' | 'CURRENT_SRM';
}

/** Rules of a Widevine license. */
export interface DrmPolicyOverrides {
  /** Whether content may be played. Must be written wherever policy_overrides is. Default: true. */
  can_play?: boolean | `\${${string}}` | null;
  /** Whether content may be played offline. Default: false. */
  can_persist?: boolean | `\${${string}}` | null;
  /** How long content may be played, in seconds from the issue of the license; nothing is decrypted afterwards. Default: 86400. */
  license_duration_seconds?: number | `\${${string}}` | null;
  /** How long a license is valid after its first use, in seconds; for offline playback or renewal. Default: 0. */
  playback_duration_seconds?: number | `\${${string}}` | null;
  /** How long a license is valid before its first use, in seconds from its issue; only offline. Default: 0. */
  rental_duration_seconds?: number | `\${${string}}` | null;
  /** Reserved by the service for later. Default: false. */
  always_include_client_id?: boolean | `\${${string}}` | null;
  /** Reserved by the service for later. Default: false. */
  can_renew?: boolean | `\${${string}}` | null;
  /** Reserved by the service for later. Default: false. */
  renew_with_usage?: boolean | `\${${string}}` | null;
  /** Reserved by the service for later, in seconds. Default: 0. */
  renewal_delay_seconds?: number | `\${${string}}` | null;
  /** Reserved by the service for later, in seconds. Default: 0. */
  renewal_recovery_duration_seconds?: number | `\${${string}}` | null;
  /** Reserved by the service for later, in seconds. Default: 0. */
  renewal_retry_interval_seconds?: number | `\${${string}}` | null;
  /** Reserved by the service for later. Default: none. */
  renewal_server_url?: string | null;
}

/** Rules for licenses of PlayReady. */
export interface DrmPlayready {
  /** Rules for standard-definition tracks (576p or less). */
  sd?: DrmPlayreadyResolution | null;
  /** Rules for high-definition tracks (720p and 1080p). */
  hd?: DrmPlayreadyResolution | null;
  /** Rules for 4K tracks. */
  uhd1?: DrmPlayreadyResolution | null;
  /** Rules for 8K tracks. */
  uhd2?: DrmPlayreadyResolution | null;
  /** Whether content may be played offline. Default: false. */
  can_persist?: boolean | `\${${string}}` | null;
  /** Whether content may be played. Default: true. */
  can_play?: boolean | `\${${string}}` | null;
  /**
   * From how many seconds before the request the license is valid, which absorbs differences between clocks; 0 = from any time before.
   * Default: 3600.
   */
  license_begin_seconds?: number | `\${${string}}` | null;
  /** How long content may be played, in seconds from the creation of the license; nothing is decrypted afterwards. Default: 86400. */
  license_duration_seconds?: number | `\${${string}}` | null;
  /**
   * How long playback is valid after its first start, in seconds; for offline playback or renewal. Left out, it has no limit; 0 is the
   * default, and read as left out. Default: 0.
   */
  playback_duration_seconds?: number | `\${${string}}` | null;
  /** Whether a session that is playing stops when the license expires; false = it may go on to its end. Default: true. */
  realtime_expiration?: boolean | `\${${string}}` | null;
}

/** What PlayReady demands for tracks of one resolution. */
export interface DrmPlayreadyResolution {
  /**
   * Protection of analog video outputs. 100 = none (testing only); 150 = CGMS-A CopyNever is tried, content passes in any case; 200 =
   * CGMS-A is demanded; 201 = no analog video output. Default: 100.
   */
  analog_video_protection_level?: 100 | 150 | 200 | 201 | `\${${string}}` | null;
  /** Protection of compressed digital audio. 100 = none (testing only); 301 = no compressed audio to digital outputs. Default: 100. */
  compressed_digital_audio_protection_level?: 100 | 301 | `\${${string}}` | null;
  /**
   * Protection of digital video outputs. 100 = none; 250 = HDCP is tried, content passes in any case; 270 = HDCP is tried, without it only
   * pictures of at most 520,000 pixels pass; 300 = HDCP is demanded; 301 = no digital video output. Default: 100.
   */
  digital_video_protection_level?: 100 | 250 | 270 | 300 | 301 | `\${${string}}` | null;
  /**
   * Whether content may be played on a virtual machine, by passing a play-enabler GUID to the license server; true = testing only. Default:
   * false.
   */
  play_enabler?: boolean | `\${${string}}` | null;
  /**
   * Whether HDCP must be type 1 (version 2.2 or later, no repeater may pass content on to HDCP 1.x devices or HDCP 2.0 repeaters); false =
   * any version. Of use only with digital_video_protection_level 250 or higher. Default: false.
   */
  require_hdcp_type_1?: boolean | `\${${string}}` | null;
  /**
   * How well the device must protect content. 150 = not at all (testing only); 2000 = hardened devices and applications with commercial
   * content; 3000 = devices with a hardware TEE. Default: 2000.
   */
  security_level?: 150 | 2000 | 3000 | `\${${string}}` | null;
  /**
   * Protection of uncompressed digital audio. 100 = none (testing only); 250 = HDCP on HDMI, DisplayPort or MHL, or SCMS at CopyNever; 300
   * = only with HDCP on HDMI, DisplayPort or MHL; 301 = no uncompressed audio to digital outputs. Default: 100.
   */
  uncompressed_digital_audio_protection_level?: 100 | 250 | 300 | 301 | `\${${string}}` | null;
}

/** An ordered list of assets with optional ad breaks. What is left out stands at its documented default. */
export interface Playlist {
  /** The name of the template that makes this playlist. The fields beside it take precedence. */
  template?: string;
  /** Values for the parameters of the template, beside `template`. */
  with?: { [key: string]: unknown };
  /**
   * Description of the playlist: viewers see it as the playlist's name. Playlists are recognized by it: those that share one need `adopt`
   * with the ID of each. Default: the key.
   */
  desc?: string | null;
  active?: PlaylistActive | null;
  ad_slate_fill?: PlaylistAdSlateFill | null;
  beam_break_duration?: PlaylistBeamBreakDuration | null;
  repeat?: PlaylistRepeat | null;
  skip_drm?: PlaylistSkipDrm | null;
  studio_drm_required?: PlaylistStudioDrmRequired | null;
  /** What is played, in this order: 1 to 100 assets, each of them optionally followed by an ad break. Assets of one codec only. */
  playlist?: readonly PlaylistEntry[] | null;
}

/** One-asset playlists with equal settings: list their assets in assets or in assets_file, not in both. */
export interface SmartStart {
  /** The name of the template that makes this smart_start. The fields beside it take precedence. */
  template?: string;
  /** Values for the parameters of the template, beside `template`. */
  with?: { [key: string]: unknown };
  /** The assets, each by its ID or by its name in the catalog. */
  assets?: readonly PlaylistAsset[] | null;
  /** A text file that lists the assets, relative to this file: one asset ID (or catalog name) a line, # begins a comment. */
  assets_file?: string | null;
  /** Description of each playlist of the group. Default: empty. */
  desc?: string | null;
  active?: PlaylistActive | null;
  ad_slate_fill?: PlaylistAdSlateFill | null;
  beam_break_duration?: PlaylistBeamBreakDuration | null;
  repeat?: PlaylistRepeat | null;
  skip_drm?: PlaylistSkipDrm | null;
  studio_drm_required?: PlaylistStudioDrmRequired | null;
}

/** One asset of the catalog. */
export interface CatalogAsset {
  /** The name of the template that makes this asset. The fields beside it take precedence. */
  template?: string;
  /** Values for the parameters of the template, beside `template`. */
  with?: { [key: string]: unknown };
  id?: PlaylistAssetId | null;
  /** The codec in which the asset is encoded: AVC or HEVC. A playlist must not mix them. No default: an asset without it is not checked. */
  codec?: 'AVC' | 'HEVC' | null;
  /**
   * Whether the asset must be under studio-approved DRM. A playlist with studio_drm_required 0 that plays such an asset is shown as
   * weakening its protection.
   */
  studio_drm?: boolean | `\${${string}}` | null;
  /** The ID of the asset in your own systems. Without `id` the asset is found by it when planning. An empty text is none. */
  external_id?: string | null;
  /** The length of the asset in seconds, where `check.assets` does not look it up. */
  duration?: number | `\${${string}}` | null;
  /** The window in which the asset may be played. plan and drift report when it is about to end. */
  available?: {
    /** The instant (RFC 3339) from which the asset may be played. An empty text, for example of a table, is no limit. */
    from?: string;
    /** The instant (RFC 3339) from which the asset may no longer be played. An empty text is no limit. */
    until?: string;
  } | null;
}

/** One entry of the list: either a beam (an asset) or an ad (an ad break after the asset before it). */
export interface PlaylistEntry {
  /**
   * The asset to play. Short form: its name in the catalog, or its ID. Long form: { id: <asset ID> }, or { external_id: <your own ID> },
   * which is resolved when planning.
   */
  beam?: string | {
    id?: PlaylistAssetId;
    external_id?: PlaylistExternalId;
  };
  /** An ad break right after the preceding asset. Short form: its length in seconds, at least 1. Long form: { dur: <seconds> }. */
  ad?: number | {
    /** Length of the ad break in seconds, at least 1. */
    dur: number | `\${${string}}`;
  } | `\${${string}}`;
  /** The name of a list of entry_lists, whose entries are put here. */
  include?: string;
}

/** The system-defined ID of an asset, 32 hexadecimal characters. Quote an ID that YAML would read as a number. */
export type PlaylistAssetId = string;

/** The ID that your own systems give to an asset. It must name exactly one asset of the service. */
export type PlaylistExternalId = string;

/** An asset, by its ID or by its name in the catalog. Quote an ID that YAML would read as a number. */
export type PlaylistAsset = string;

/** Whether the playlist can be played: 0 = inactive, 1 = active. Default 1. */
export type PlaylistActive = 0 | 1 | false | true | `\${${string}}`;

/** What happens in an ad break with too few ads: 0 = back to the content, 1 = filled with ad slate. Default 0. */
export type PlaylistAdSlateFill = 0 | 1 | false | true | `\${${string}}`;

/** Ad breaks defined within an asset: 0 = ignored, any other number = honoured, and each of them lasts that many seconds. Default 0. */
export type PlaylistBeamBreakDuration = number | `\${${string}}`;

/** How often the list is repeated: 0 = not at all, -1 = without end, n = n times. Default 0. */
export type PlaylistRepeat = number | `\${${string}}`;

/**
 * Whether playback is allowed without a digital signature: 0 = a signature is required, 1 = allowed without. Default 0. Takes precedence
 * over the asset's own setting.
 */
export type PlaylistSkipDrm = 0 | 1 | false | true | `\${${string}}`;

/** Whether playback is secured by DRM: 0 = not secured, 1 = secured. Default 0. Takes precedence over the asset's own setting. */
export type PlaylistStudioDrmRequired = 0 | 1 | false | true | `\${${string}}`;
