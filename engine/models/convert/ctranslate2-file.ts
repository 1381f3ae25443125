import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { damagedFile, notConvertible } from './conversion-error.ts'
import { assertNotLfsPointer } from './lfs-pointer.ts'
import { countElements } from './stored-tensor.ts'
import type { NumberFormat, StoredTensor } from './stored-tensor.ts'

/** Supported versions of the binary format, which store the type of each variable. */
const versions = { oldest: 4, newest: 6 }
/** CTranslate2's data type numbers (types.h); 3 is int32, which only counters have. */
const formats: Record<number, NumberFormat> = { 0: 'f32', 1: 'i8', 2: 'i16', 4: 'f16', 5: 'bf16' }
const itemBytes: Record<number, number> = { 0: 4, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2 }
/** Larger than the header of any variable: a name, up to four dimensions, type and size. */
const headBytes = 1024
const maxDims = 4

/**
 * Returns the variables of a CTranslate2 Whisper (`model.bin`) by name, aliases included. Reads only the headers between the weights.
 *
 * @throws AppError `model_unavailable` if it is another kind of file or incomplete
 */
export async function readCTranslate2(path: string): Promise<Map<string, StoredTensor>> {
  await using file = await open(path)
  await assertNotLfsPointer(file, path)
  const reader = createReader(file, path, (await file.stat()).size)
  await reader.fill()
  const version = reader.uint32()
  if (version < versions.oldest || version > versions.newest) {
    throw notConvertible(
      `${path} is no model.bin of CTranslate2, or of a version that is not known (${version} instead of ${versions.oldest} to ${versions.newest}).`,
      'Convert the model again with a current ct2-transformers-converter, or import its safetensors folder.',
    )
  }
  const kind = reader.text()
  if (kind !== 'WhisperSpec') {
    throw notConvertible(`${path} holds a ${kind} of CTranslate2, not a Whisper.`, 'Import a speech model.')
  }
  reader.uint32() // The revision of WhisperSpec, which concerns inference and not storage.
  const variables = new Map<string, StoredTensor>()
  for (let left = reader.uint32(); left > 0; left -= 1) {
    const variable = await readVariable(reader, path)
    if (variable) variables.set(variable.name, variable)
  }
  await reader.fill()
  for (let left = reader.uint32(); left > 0; left -= 1) {
    await reader.fill()
    const [alias, name] = [reader.text(), reader.text()]
    const variable = variables.get(name)
    if (variable) variables.set(alias, variable)
  }
  return variables
}

/** Returns undefined for a variable with an integer type that weights never have. */
async function readVariable(reader: Reader, path: string): Promise<StoredTensor | undefined> {
  await reader.fill()
  const name = reader.text()
  const dims = reader.uint8()
  if (dims > maxDims) throw damagedFile(path, `the variable ${name} has ${dims} dimensions`)
  const shape = Array.from({ length: dims }, () => reader.uint32())
  const type = reader.uint8()
  const sizeBytes = reader.uint32()
  const bytesEach = itemBytes[type]
  if (bytesEach === undefined || sizeBytes !== countElements(shape) * bytesEach) {
    throw damagedFile(path, `the variable ${name} has another size than its shape says`)
  }
  const position = reader.position()
  reader.skip(sizeBytes, name)
  const format = formats[type]
  return format && { path, name, position, format, shape }
}

/** Reads headers from a window of the file that `fill` moves; a read beyond the end of the file throws. */
function createReader(file: FileHandle, path: string, size: number) {
  const window = Buffer.alloc(headBytes)
  let windowStart = 0
  let at = 0
  function take(count: number): number {
    if (windowStart + at + count > size || at + count > headBytes)
      throw damagedFile(path, `it ends after ${size} bytes`)
    at += count
    return at - count
  }
  return {
    async fill() {
      windowStart += at
      at = 0
      await file.read(window, 0, headBytes, windowStart)
    },
    uint8: () => window.readUInt8(take(1)),
    uint32: () => window.readUInt32LE(take(4)),
    text() {
      const length = window.readUInt16LE(take(2))
      const start = take(length)
      // The string ends with a zero byte.
      return window.toString('utf8', start, start + length - 1)
    },
    position: () => windowStart + at,
    skip(count: number, name: string) {
      if (windowStart + at + count > size) throw damagedFile(path, `it ends inside ${name}, after ${size} bytes`)
      at += count
    },
  }
}
type Reader = ReturnType<typeof createReader>
