import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Input or output of a graph. */
export interface OnnxTensorInfo {
  name: string
  /** null stands for a dynamic dimension. */
  dims: (number | null)[]
}

/** Numbers with dims, in onnxruntime's memory, which is freed by `release` or eventually by the garbage collector. */
export interface OnnxTensor {
  readonly dims: readonly number[]
  /**
   * Copies the numbers, last axis fastest, into an array of that length (a new one by default) and returns it. Throws for a tensor of
   * integers.
   */
  read(into?: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer>
  /** Copies rows along an axis, in the given order and possibly repeated, into a new tensor: reorders or repeats beams. */
  select(axis: number, indices: readonly number[]): OnnxTensor
  /** Frees the memory at once, or after the runs that use it. Later uses throw; a second call does nothing. */
  release(): void
}

/** A loaded ONNX file. */
export interface OnnxGraph {
  readonly inputs: readonly OnnxTensorInfo[]
  readonly outputs: readonly OnnxTensorInfo[]
  /** Texts that the file contains besides the graph, such as those in sherpa-onnx's exports. */
  readonly metadata: Readonly<Record<string, string>>
  /**
   * Computes the named outputs, in that order, on another thread; runs and loads take turns and cannot be interrupted. The caller keeps
   * ownership of the inputs. Rejects with onnxruntime's message for missing or unknown names and for tensors of the wrong type or dims.
   */
  run(inputs: Readonly<Record<string, OnnxTensor>>, outputs: readonly string[]): Promise<OnnxTensor[]>
  /** Frees the memory at once, or after its last run. Later runs reject. */
  release(): void
}

export interface OnnxRuntime {
  /** Loads an ONNX file on another thread. Rejects with onnxruntime's message if it is missing or damaged. */
  loadGraph(path: string, options: { threads: number }): Promise<OnnxGraph>
  /** Copies floats into a tensor. Throws if they do not fill `dims`. */
  floatTensor(data: Float32Array, dims: readonly number[]): OnnxTensor
  /** Copies integers into a tensor of int64. Throws if they do not fill `dims`. */
  intTensor(data: readonly number[], dims: readonly number[]): OnnxTensor
}

interface OnnxRuntimeOptions {
  /** Another build of the native addon, for benchmarks. */
  addonPath?: string
  /** The onnxruntime library; by default the one in the sherpa-onnx package for this machine. */
  libraryPath?: string
}

/** The part of the addon in addon/onnx.cc. */
interface OnnxAddon {
  open(libraryPath: string): void
  loadGraph(path: string, threads: number): Promise<AddonGraph>
  run(graph: Handle, inputs: string[], tensors: Handle[], outputs: readonly string[]): Promise<AddonTensor[]>
  createTensor(data: Float32Array | BigInt64Array, dims: readonly number[]): AddonTensor
  read(tensor: Handle, into?: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer>
  select(tensor: Handle, axis: number, indices: readonly number[]): AddonTensor
  releaseTensor(tensor: Handle): void
  releaseGraph(graph: Handle): void
}

/** Opaque handle of the addon. */
type Handle = object

interface AddonTensor {
  handle: Handle
  dims: number[]
}

interface AddonGraph {
  handle: Handle
  inputs: { name: string; dims: number[] }[]
  outputs: { name: string; dims: number[] }[]
  metadata: Record<string, string>
}

const require = createRequire(import.meta.url)
const rootDir = dirname(dirname(import.meta.dirname))
/** The native addon that scripts/build-whisper.mjs builds. */
export const builtAddonPath = join(rootDir, 'node_modules', '.awaz', 'whisper.node')

/** Handles of the tensors created here: the addon would crash on any other handles. */
const handles = new WeakMap<OnnxTensor, Handle>()

/**
 * Opens onnxruntime in this process, which keeps the first library that was opened. Throws if the library or the addon cannot be loaded.
 * Invalid arguments and damaged files cause errors but never end the process.
 */
export function createOnnxRuntime(options: OnnxRuntimeOptions = {}): OnnxRuntime {
  const { addonPath = builtAddonPath, libraryPath = findLibrary() } = options
  const { onnx } = require(addonPath) as { onnx: OnnxAddon } // the interface above describes it
  onnx.open(libraryPath)
  return {
    loadGraph: async (path, { threads }) => {
      if (!Number.isInteger(threads) || threads < 1) throw new Error('Threads must be an integer of 1 or more')
      return toGraph(onnx, await onnx.loadGraph(path, threads))
    },
    floatTensor: (data, dims) => toTensor(onnx, onnx.createTensor(data, dims)),
    intTensor: (data, dims) => toTensor(onnx, onnx.createTensor(BigInt64Array.from(data, BigInt), dims)),
  }
}

/** Returns the library in the package from which sherpa-onnx-node loads its addon. */
function findLibrary(): string {
  const { resolve } = createRequire(require.resolve('sherpa-onnx-node'))
  return resolve(`sherpa-onnx-linux-${process.arch}/libonnxruntime.so`)
}

function toGraph(onnx: OnnxAddon, { handle, inputs, outputs, metadata }: AddonGraph): OnnxGraph {
  return {
    inputs: inputs.map(toOnnxTensorInfo),
    outputs: outputs.map(toOnnxTensorInfo),
    metadata,
    run: async (tensors, names) => {
      const inputHandles = Object.values(tensors).map(handleOf)
      const results = await onnx.run(handle, Object.keys(tensors), inputHandles, names)
      return results.map((result) => toTensor(onnx, result))
    },
    release: () => onnx.releaseGraph(handle),
  }
}

function toOnnxTensorInfo({ name, dims }: AddonGraph['inputs'][number]): OnnxTensorInfo {
  return { name, dims: dims.map((dim) => (dim < 0 ? null : dim)) }
}

function toTensor(onnx: OnnxAddon, { handle, dims }: AddonTensor): OnnxTensor {
  const tensor: OnnxTensor = {
    dims,
    read: (into) => onnx.read(handle, into),
    select: (axis, indices) => toTensor(onnx, onnx.select(handle, axis, indices)),
    release: () => onnx.releaseTensor(handle),
  }
  handles.set(tensor, handle)
  return tensor
}

function handleOf(tensor: OnnxTensor): Handle {
  const handle = handles.get(tensor)
  if (!handle) throw new TypeError('Expected a tensor of this runtime')
  return handle
}
