import type { KeywordCategory } from '#contract/keywords/keywords.ts'
import type { MapLayout } from './map-layout.ts'
import type { MapMark } from './map-marks.ts'
import type { MapPalette } from './map-palette.ts'
import { contains, shareAt, type MapWindow } from './map-window.ts'

interface Marks {
  window: MapWindow
  layout: MapLayout
  marks: readonly MapMark[]
}

interface Place {
  x: number
  y: number
  /** Half the width of the sign. */
  size: number
}

/** Signs of the same category that are closer than this are drawn once. */
const minDistance = 4

/** Draws the signs of hits and the flags of notes above the lanes. Works in CSS pixels, since `context` is scaled. */
export function drawMarks(
  context: CanvasRenderingContext2D,
  palette: MapPalette,
  { window, layout, marks }: Marks,
): void {
  context.clearRect(0, 0, layout.width, layout.height)
  const { height } = layout.marks
  const size = height > 16 ? 5 : 4
  const lastX: Record<string, number> = {}
  for (const mark of marks) {
    if (mark.kind === 'talk-over' || !contains(window, mark.time)) continue
    const x = Math.min(layout.width - size, Math.max(size, shareAt(window, mark.time) * layout.width))
    const sign = mark.category ?? mark.kind
    if (x - (lastX[sign] ?? -minDistance) < minDistance) continue
    lastX[sign] = x
    const place = { x, y: height / 2, size }
    if (mark.category) drawSign(context, place, { ...mark, category: mark.category, palette })
    else drawFlag(context, place, { layout, palette })
  }
}

/** A sign is filled until its hit is reviewed. */
function drawSign(
  context: CanvasRenderingContext2D,
  place: Place,
  { category, isReviewed, palette }: { category: KeywordCategory; isReviewed: boolean; palette: MapPalette },
): void {
  const colour = palette.categories[category]
  context.beginPath()
  outlineSign(context, category, place)
  context.closePath()
  context.lineJoin = 'round'
  // An outline in the background color separates neighbors.
  context.strokeStyle = palette.surface
  context.lineWidth = 3
  context.stroke()
  context.fillStyle = isReviewed ? palette.surface : colour
  context.fill()
  context.strokeStyle = colour
  context.lineWidth = 1.25
  context.stroke()
}

function outlineSign(context: CanvasRenderingContext2D, category: KeywordCategory, { x, y, size }: Place): void {
  if (category === 'custom') return context.arc(x, y, size * 0.85, 0, 2 * Math.PI)
  for (const [dx, dy] of corners[category]) context.lineTo(x + dx * size, y + dy * size)
}

/** Triangle, diamond and square. */
const corners: Record<Exclude<KeywordCategory, 'custom'>, [dx: number, dy: number][]> = {
  threats: [
    [0, -0.95],
    [1, 0.8],
    [-1, 0.8],
  ],
  sentiment: [
    [0, -1.1],
    [1.1, 0],
    [0, 1.1],
    [-1.1, 0],
  ],
  intent: [
    [-0.8, -0.8],
    [0.8, -0.8],
    [0.8, 0.8],
    [-0.8, 0.8],
  ],
}

function drawFlag(
  context: CanvasRenderingContext2D,
  { x, y, size }: Place,
  { layout, palette }: { layout: MapLayout; palette: MapPalette },
): void {
  const top = y - size - 1
  context.fillStyle = palette.surface
  context.fillRect(x - 1.5, top, 3, layout.height - top)
  context.fillStyle = palette.text
  context.fillRect(x - 0.5, top, 1, layout.height - top)
  context.beginPath()
  context.moveTo(x, top)
  context.lineTo(x + 1.8 * size, top + size * 0.75)
  context.lineTo(x, top + 1.5 * size)
  context.closePath()
  context.fill()
}
