/** Linear red, green and blue, 0 to 1. */
type Rgb = readonly [number, number, number]

/**
 * Severe forms: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision
 * Deficiency", 2009.
 */
const matrices = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopic: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopic: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopic: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const

type Vision = keyof typeof matrices

/** The kinds of colour vision that are simulated. */
export const visions = ['normal', 'protanopic', 'deuteranopic', 'tritanopic'] as const satisfies Vision[]

/** Returns the colour that a person with this vision sees for `#rrggbb`. */
export function simulate(hex: string, vision: Vision): Rgb {
  const [red, green, blue] = toLinear(hex)
  const m = matrices[vision]
  return [
    clamp(m[0] * red + m[1] * green + m[2] * blue),
    clamp(m[3] * red + m[4] * green + m[5] * blue),
    clamp(m[6] * red + m[7] * green + m[8] * blue),
  ]
}

/** Returns the perceived distance between two colours in OKLab (B. Ottosson, 2020): 0.02 is just noticeable. */
export function distance(one: Rgb, other: Rgb): number {
  const [a, b] = [toOklab(one), toOklab(other)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

/** Returns the contrast ratio of two colours, from 1 to 21 (WCAG 2). */
export function contrast(one: string, other: string): number {
  const lights = [luminance(toLinear(one)), luminance(toLinear(other))].toSorted((a, b) => b - a)
  return ((lights[0] ?? 0) + 0.05) / ((lights[1] ?? 0) + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function toLinear(hex: string): Rgb {
  const channel = (from: number) => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

function toOklab([red, green, blue]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
