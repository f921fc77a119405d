/** The words for what devices play after a change, in the two forms in which reports say it, of a device and of its tracks. */
import type { ImpactSummary } from '../../core/model/impact.ts';

/** What is said of devices: an outcome, and whether playback is unknown on the side on which it plays. */
export type Outcome = Pick<ImpactSummary, 'outcome' | 'uncertain'>;

/** How a sentence is built: of one or several subjects, and whether it says what would happen. */
export interface Grammar {
  readonly isOne: boolean;
  readonly isConditional: boolean;
}

/** Decides whether it was unknown whether something plays, and is known now. */
export function isCertainNow({ outcome, uncertain }: Outcome): boolean {
  return outcome === 'uncertain' && !uncertain;
}

/** Decides whether an outcome is worse for viewers, or may be. */
export function isWorse(outcome: Outcome): boolean {
  return ['lost', 'uncertain', 'restricted'].includes(outcome.outcome) && !isCertainNow(outcome);
}

/** How something plays on. */
const CONDITIONS = { restricted: ' with a new limit', unrestricted: ' with fewer limits', changed: ' under other conditions' } as const;

/** Tracks that devices play, and where: `HD`, and ` under policy premium`. */
export interface Tracks {
  readonly names: string;
  readonly where: string;
}

/** Says what devices do: `no longer play SD, HD under policy premium`. */
export function deviceDoes({ outcome, uncertain }: Outcome, tracks: readonly Tracks[], { isOne, isConditional }: Grammar): string {
  const play = isConditional ? 'would play' : isOne ? 'plays' : 'play';
  const may = isConditional ? 'might' : 'may';
  const all = (condition = '', end = '') => tracks.map(({ names, where }) => `${names}${condition}${where}${end}`).join('; ');
  switch (outcome) {
    case 'lost':
      if (uncertain)
        return `may have played ${all()}, and ${isConditional ? 'would no longer' : isOne ? 'no longer does' : 'no longer do'}`;
      return `${isConditional ? 'would no longer play' : `no longer ${play}`} ${all()}`;
    case 'uncertain':
      return uncertain ? `${may} no longer play ${all()}` : `${play} ${all(' for certain')}, which was not known before`;
    case 'gained':
      if (uncertain) return `${may} also play ${all()}`;
      return `${isConditional ? 'would also play' : `also ${play}`} ${all()}`;
    default:
      return `${play} ${all(CONDITIONS[outcome], uncertain ? ', if at all' : '')}`;
  }
}

/** Says the same of the tracks of a device: `SD, HD would no longer play`. */
export function tracksDo({ outcome, uncertain }: Outcome, tracks: string, { isOne, isConditional }: Grammar): string {
  const plays = isOne ? 'plays' : 'play';
  const play = isConditional ? 'would play' : plays;
  switch (outcome) {
    case 'lost':
      return `${tracks}${uncertain ? ', which may have played,' : ''} ${isConditional ? 'would no longer play' : `no longer ${plays}`}`;
    case 'uncertain':
      if (uncertain) return `it depends whether ${tracks} ${isConditional ? 'would still play' : `still ${plays}`}`;
      return `${tracks} ${play} for certain`;
    case 'gained':
      return `${tracks} ${uncertain ? (isConditional ? 'might play' : 'may play now') : isConditional ? play : `${plays} now`}`;
    default:
      return `${tracks} ${play}${CONDITIONS[outcome]}${uncertain ? `, if ${isOne ? 'it plays' : 'they play'} at all` : ''}`;
  }
}
