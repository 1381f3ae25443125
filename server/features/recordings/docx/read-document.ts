import { text } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

/** Where a Word file has its text (ECMA-376, part 1, 11.3.10). */
export const documentPath = 'word/document.xml'

/** Returns the XML of the text of a Word file. Throws for a ZIP archive that has none. */
export async function readDocument(file: Buffer): Promise<string> {
  const zip = await fromBufferPromise(file)
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName === documentPath) return text(await zip.openReadStreamPromise(entry))
  }
  throw new Error(`A Word file without ${documentPath}`)
}
