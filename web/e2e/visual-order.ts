import type { Locator } from 'playwright-core'

/** Where a text is on the screen, in pixels. */
interface Extent {
  left: number
  right: number
}

/**
 * Returns where the browser drew pieces of an element's text. The pieces must occur in the text in this order: each is searched for
 * after the previous one.
 */
export async function measurePieces(locator: Locator, pieces: readonly string[]): Promise<Extent[]> {
  return locator.evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const places: { node: Node; offset: number }[] = []
    while (walker.nextNode()) {
      const node = walker.currentNode
      for (let offset = 0; offset < (node.nodeValue ?? '').length; offset += 1) places.push({ node, offset })
    }
    const text = places.map(({ node, offset }) => node.nodeValue?.[offset] ?? '').join('')
    let searchedFrom = 0
    return wanted.map((piece) => {
      const at = text.indexOf(piece, searchedFrom)
      if (at < 0) throw new Error(`“${text}” has no “${piece}” there`)
      searchedFrom = at + piece.length
      const boxes = places.slice(at, searchedFrom).flatMap(({ node, offset }) => {
        const range = document.createRange()
        range.setStart(node, offset)
        range.setEnd(node, offset + 1)
        return [...range.getClientRects()].filter(({ width }) => width > 0)
      })
      return { left: Math.min(...boxes.map(({ left }) => left)), right: Math.max(...boxes.map(({ right }) => right)) }
    })
  }, pieces)
}

/** Returns the pieces of an element's text as they appear on the screen, from left to right. */
export async function visualOrder(locator: Locator, pieces: readonly string[]): Promise<string[]> {
  const extents = await measurePieces(locator, pieces)
  return pieces.toSorted((a, b) => leftOf(a) - leftOf(b))

  function leftOf(piece: string): number {
    return extents[pieces.indexOf(piece)]?.left ?? 0
  }
}
