/** How many requests run side by side. */
export interface Width {
  /** A whole number from 1. */
  now(): number;
  /** The service took a request. */
  grow(): void;
  /** The service has too much to do. */
  halve(): void;
}

/** Begins with the widest; halved where the service has too much to do, and one wider after each flight of that width that it took. */
export function adaptiveWidth(widest: number): Width {
  let width = widest;
  let taken = 0;
  return {
    now: () => width,
    grow() {
      if (width === widest || ++taken < width) return;
      width++;
      taken = 0;
    },
    halve() {
      width = Math.max(1, Math.floor(width / 2));
      taken = 0;
    },
  };
}
