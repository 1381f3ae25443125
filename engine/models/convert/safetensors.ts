import { open, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { AppError } from '#contract/app-error.ts'
import { damagedFile, notConvertible } from './conversion-error.ts'
import { parseJson, readJson } from './json-file.ts'
import { assertNotLfsPointer } from './lfs-pointer.ts'
import { countElements, formatBytes } from './stored-tensor.ts'
import type { NumberFormat, StoredTensor } from './stored-tensor.ts'

const formats: Record<string, NumberFormat> = { F32: 'f32', F16: 'f16', BF16: 'bf16' }
/** The limit of the reference implementation (safetensors, MAX_HEADER_SIZE). */
const maxHeaderBytes = 100_000_000
const noHeader = 'it has no header of the format safetensors'

const TensorEntry = z.object({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
})

/** Besides tensors, a header may contain free-form metadata. */
const Header = z
  .record(z.string(), z.unknown())
  .transform((header) => Object.entries(header).filter(([name]) => name !== '__metadata__'))
  .pipe(z.array(z.tuple([z.string(), TensorEntry])))

const ShardIndex = z.object({ weight_map: z.record(z.string(), z.string()) })

/**
 * Returns the tensors of a Hugging Face folder by name: those of `model.safetensors`, or of the shards that
 * `model.safetensors.index.json` names. Reads headers only.
 *
 * @throws AppError `model_unavailable` if there is no such file, a shard is missing or a file is damaged
 */
export async function readSafetensorsFolder(folder: string): Promise<Map<string, StoredTensor>> {
  const indexPath = join(folder, 'model.safetensors.index.json')
  if (await isFile(join(folder, 'model.safetensors'))) return readSafetensors(join(folder, 'model.safetensors'))
  if (await isFile(indexPath)) return readShards(folder, indexPath)
  if (await isFile(join(folder, 'adapter_model.safetensors'))) {
    throw notConvertible(
      `The folder ${folder} holds only an adapter (LoRA), adapter_model.safetensors, not a whole model.`,
      'Merge it into its base model (merge_and_unload of peft), save the result with save_pretrained, and import that folder.',
    )
  }
  throw notConvertible(
    `There is no model.safetensors in ${folder}.`,
    (await isFile(join(folder, 'pytorch_model.bin')))
      ? 'pytorch_model.bin is not read, because such a file can run code: save the model with save_pretrained(…, safe_serialization=True), or download model.safetensors from the same page.'
      : 'Download model.safetensors, or model.safetensors.index.json and all files that it names.',
  )
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}

async function readShards(folder: string, indexPath: string): Promise<Map<string, StoredTensor>> {
  const index = ShardIndex.safeParse(await readJson(indexPath))
  if (!index.success) throw damagedFile(indexPath, 'it is not the index of a model in shards')
  const tensors = new Map<string, StoredTensor>()
  for (const shard of new Set(Object.values(index.data.weight_map))) {
    if (shard !== basename(shard)) throw damagedFile(indexPath, `it names ${shard}, which is no file of this folder`)
    if (!(await isFile(join(folder, shard)))) {
      throw notConvertible(
        `${shard} is missing in ${folder}; model.safetensors.index.json names it.`,
        `Download ${shard} into the folder.`,
      )
    }
    for (const [name, tensor] of await readSafetensors(join(folder, shard))) tensors.set(name, tensor)
  }
  return tensors
}

/** Reads the header of one file: its length in eight bytes, then JSON, then the numbers (github.com/huggingface/safetensors). */
async function readSafetensors(path: string): Promise<Map<string, StoredTensor>> {
  await using file = await open(path)
  await assertNotLfsPointer(file, path)
  const { size } = await file.stat()
  const length = Buffer.alloc(8)
  if (size <= length.length) throw damagedFile(path, `it has only ${size} bytes`)
  await file.read(length, 0, length.length, 0)
  const headerBytes = Number(length.readBigUInt64LE())
  if (headerBytes > maxHeaderBytes) throw damagedFile(path, noHeader)
  const dataStart = length.length + headerBytes
  if (dataStart > size) {
    throw damagedFile(path, `its header should have ${headerBytes} bytes, but the whole file has ${size}`)
  }
  const text = Buffer.alloc(headerBytes)
  await file.read(text, 0, headerBytes, length.length)
  const header = Header.safeParse(parseJson(text.toString('utf8')))
  if (!header.success) throw damagedFile(path, noHeader)
  const tensors = new Map<string, StoredTensor>()
  for (const [name, entry] of header.data) {
    const [start, end] = entry.data_offsets
    const format = formats[entry.dtype]
    if (!format) throw unknownFormat(path, name, entry.dtype)
    if (dataStart + end > size) throw damagedFile(path, `it ends inside ${name}, after ${size} bytes`)
    if (end - start !== countElements(entry.shape) * formatBytes[format]) {
      throw damagedFile(path, `the tensor ${name} has another size than its shape says`)
    }
    tensors.set(name, { path, name, position: dataStart + start, format, shape: entry.shape })
  }
  return tensors
}

function unknownFormat(path: string, name: string, dtype: string): AppError {
  return notConvertible(
    `The tensor ${name} in ${path} is stored as ${dtype}; only F32, F16 and BF16 can be converted.`,
    'Get the model as it was trained, not a quantized copy of it.',
  )
}
