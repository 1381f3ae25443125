import { expect, test } from 'vitest'
import { prune, setAddresses } from './lockfile.mjs'

function lock() {
  return {
    packages: {
      '': { dependencies: { tool: '1.0.0' } },
      'node_modules/tool': {
        version: '1.0.0',
        dependencies: { helper: '1.0.0' },
        optionalDependencies: {
          'tool-linux-x64': '1.0.0',
          'tool-linux-x64-cuda': '1.0.0',
          'tool-win32-x64': '1.0.0',
          'tool-linux-arm64': '1.0.0',
        },
      },
      'node_modules/helper': { version: '1.0.0' },
      'node_modules/tool-linux-x64': { optional: true, os: ['linux'], cpu: ['x64'] },
      'node_modules/tool-linux-arm64': { optional: true, os: ['linux'], cpu: ['arm64'] },
      'node_modules/tool-linux-x64-cuda': {
        optional: true,
        os: ['linux'],
        cpu: ['x64'],
        dependencies: { 'cuda-only': '1.0.0' },
      },
      'node_modules/cuda-only': { version: '1.0.0' },
      'node_modules/tool-win32-x64': { optional: true, os: 'win32', cpu: 'x64' },
    },
  }
}

test('keeps Linux x64 and arm64 on the CPU and drops the rest with what only they needed', () => {
  const pruned = lock()
  const removed = prune(pruned)
  expect(Object.keys(pruned.packages)).toEqual([
    '',
    'node_modules/tool',
    'node_modules/helper',
    'node_modules/tool-linux-x64',
    'node_modules/tool-linux-arm64',
  ])
  expect(removed).toContain('node_modules/cuda-only')
})

test("takes dropped packages out of their parent's list, or npm would call the lock out of date", () => {
  const pruned = lock()
  prune(pruned)
  expect(Object.keys(pruned.packages['node_modules/tool'].optionalDependencies)).toEqual([
    'tool-linux-x64',
    'tool-linux-arm64',
  ])
})

test('finds nothing to remove in a pruned lock', () => {
  const pruned = lock()
  prune(pruned)
  expect(prune(pruned)).toEqual([])
})

test("names the address of each package in npm's own registry, whatever registry it was installed from", () => {
  const addressed = {
    packages: {
      '': { name: 'root' },
      'node_modules/tool': { version: '1.0.0', integrity: 'sha512-a' },
      'node_modules/@scope/tool': { version: '2.0.0', resolved: 'https://mirror.example/@scope/tool/-/tool-2.0.0.tgz' },
      'node_modules/tool/node_modules/alias': { version: '3.0.0', name: 'helper' },
      'node_modules/tool/node_modules/bundled': { version: '4.0.0', inBundle: true },
    },
  }

  expect(setAddresses(addressed)).toHaveLength(3)

  expect(addressed.packages).toEqual({
    '': { name: 'root' },
    'node_modules/tool': {
      version: '1.0.0',
      resolved: 'https://registry.npmjs.org/tool/-/tool-1.0.0.tgz',
      integrity: 'sha512-a',
    },
    'node_modules/@scope/tool': {
      version: '2.0.0',
      resolved: 'https://registry.npmjs.org/@scope/tool/-/tool-2.0.0.tgz',
    },
    'node_modules/tool/node_modules/alias': {
      version: '3.0.0',
      resolved: 'https://registry.npmjs.org/helper/-/helper-3.0.0.tgz',
      name: 'helper',
    },
    'node_modules/tool/node_modules/bundled': { version: '4.0.0', inBundle: true },
  })
  expect(setAddresses(addressed)).toEqual([])
})
