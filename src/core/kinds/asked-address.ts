/** The address that a user means. In a file of its own, so that the flags can be read without loading the kinds. */
export { askedAddress } from './drm-policy/address.ts';
