import { describe, expect, it } from 'vitest';
import { windowState } from '../../../src/core/windows/window-state.ts';
import { NO_WINDOWS } from '../../../src/core/windows/windows.ts';

describe('the state of windows', () => {
  it('is open for ever without any rule', () => {
    expect(windowState([NO_WINDOWS, NO_WINDOWS], 0)).toEqual({
      isOpen: true,
      closedBy: [],
      isOpenToStrengthening: true,
      changesAt: null,
      changesBackAt: null,
      knownUntil: null,
    });
  });
});
