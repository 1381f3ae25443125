import { cpuDevice, findThisProcessor } from '#engine/models/measurements.ts'
import type { ModelMeasurement } from '#engine/models/measurements.ts'

/** Returns the processor, the device and the time of a measurement. */
export function describeMachine(
  gpu?: 'cuda' | 'vulkan',
): Pick<ModelMeasurement, 'processor' | 'measuredAt' | 'device'> {
  return {
    processor: findThisProcessor(),
    measuredAt: new Date().toISOString(),
    device: gpu ? `GPU (${gpu})` : cpuDevice,
  }
}
