export const playbackSpeeds = [0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3]

/** Returns the speed after a key press: the next one in the list in that direction, or the same at its end. */
export function stepSpeed(speed: number, by: 1 | -1): number {
  const ahead = playbackSpeeds.filter((each) => (by === 1 ? each > speed : each < speed))
  return (by === 1 ? ahead[0] : ahead.at(-1)) ?? speed
}
