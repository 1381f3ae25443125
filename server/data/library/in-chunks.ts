/** Recordings changed by one command: few enough that other commands are served in between. */
const itemsPerChunk = 200

/** Runs a task for one part of a list after another. */
export async function inChunks<Item>(items: readonly Item[], task: (chunk: Item[]) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += itemsPerChunk) await task(items.slice(at, at + itemsPerChunk))
}
