import { describe, expect, it } from 'vitest'
import styles from '../../../app/styles.css?raw'
import { contrast, distance, simulate, visions } from './testing/colour-vision.ts'

const inks = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Reads the values of the custom properties in a scheme's block. */
function readColours(scheme: string): Map<string, string> {
  const block = new RegExp(`:root\\[data-mantine-color-scheme='${scheme}'\\][^{]*\\{([^}]*)\\}`).exec(styles)?.[1] ?? ''
  return new Map([...block.matchAll(/--awaz-([\w-]+): (#\w{6});/g)].map(([, name = '', value = '']) => [name, value]))
}

describe.each(['light', 'dark'])('the hues of speakers in %s', (scheme) => {
  const colours = readColours(scheme)
  const hues = inks.map((ink) => colours.get(ink) ?? '')

  it.each(visions)('are distinguishable with %s vision', (vision) => {
    const seen = hues.map((hue) => simulate(hue, vision))
    const distances = seen.flatMap((one, index) => seen.slice(index + 1).map((other) => distance(one, other)))
    expect(distances).toHaveLength(28)
    // Three times the smallest visible difference.
    expect(Math.min(...distances)).toBeGreaterThan(0.06)
  })

  it('are readable on every surface', () => {
    for (const hue of hues) {
      for (const surface of ['surface', 'sunken']) {
        expect(contrast(hue, colours.get(surface) ?? '')).toBeGreaterThan(4.5)
      }
    }
  })
})
