/** The words of policies that a recording keeps. */
import type { KindWords } from '../recording.ts';
import { CREATE_OR_UPDATE, POLICIES, POLICY } from './api.ts';

/** The words of policies. */
export const drmPolicyWords: KindWords = {
  paths: [POLICIES, CREATE_OR_UPDATE, POLICY],
  texts: ['configs', 'policy_name', 'lmsig'],
  numbers: ['created', 'lastmod'],
};
