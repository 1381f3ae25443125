// One vitest that keeps running. It serves changed sources from memory, so that no file of the working tree is ever touched.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import {
  BaseSequencer,
  type CliOptions,
  createVitest,
  type Reporter,
  type TestSpecification,
  type Vitest,
} from 'vitest/node'

interface ProjectConfig {
  plugins?: unknown[]
  test: { name: string; setupFiles?: string | string[] }
}

interface RunOptions {
  /** Whether the first failure ends the run. Default: false. */
  bail?: boolean
  /** Returns whether the workers hang and must be killed. Called every second. */
  isHanging: () => boolean
}

export interface RunResult {
  /** The first failure: a test, or a file that could not be loaded. */
  failure?: string
  isKilled: boolean
}

const root = join(import.meta.dirname, '../..')

/** Runs test files in the order in which they were given. */
class GivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return files
  }
}

/** Kills the child processes of this one, which are the workers of vitest: code in an endless loop responds to nothing else. */
function killWorkers() {
  for (const thread of readdirSync('/proc/self/task')) {
    const children = readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean)
    for (const child of children) process.kill(Number(child), 'SIGKILL')
  }
}

/** Component tests wait for elements to appear. With a change that prevents this they would wait in vain, and for a long time. */
function withPatience({ test: { name, setupFiles = [] } }: ProjectConfig) {
  return [...[setupFiles].flat(), ...(name === 'web' ? [join(import.meta.dirname, 'patience.ts')] : [])]
}

export class TestSession {
  #vitest: Vitest | undefined
  #sources = new Map<string, string>()
  #failure: string | undefined
  #bail = false

  /**
   * Starts vitest with the configured projects that have these names and, where one is given, with another test runner.
   * Returns their test files, in that order.
   */
  async start(names: string[], runner?: string): Promise<TestSpecification[]> {
    const { default: config } = await import('../../vitest.config.ts')
    const { projects = [], ...shared } = config.test ?? {}
    const chosen = names.flatMap((name) => (projects as ProjectConfig[]).filter(({ test }) => test.name === name))
    const plugin: Plugin = { name: 'mutants', enforce: 'pre', load: (id) => this.#sources.get(id) }
    const options = {
      ...shared,
      root,
      config: false,
      watch: false,
      // The cache on disk identifies a module by its file, which does not change.
      fsModuleCache: false,
      maxWorkers: 1,
      maxConcurrency: 1,
      sequence: { sequencer: GivenOrder },
      reporters: [this.#reporter()],
      projects: chosen.map((project) => ({
        ...project,
        plugins: [...(project.plugins ?? []), plugin],
        test: {
          ...project.test,
          pool: 'forks',
          fsModuleCache: false,
          ...(runner && { runner, isolate: false, setupFiles: withPatience(project) }),
        },
      })),
    }
    // The type has only the options of the command line; the function accepts a whole configuration.
    this.#vitest = await createVitest(options as unknown as CliOptions)
    await this.#vitest.standalone()
    const specifications = await this.#vitest.globTestSpecifications()
    return names.flatMap((name) => specifications.filter(({ project }) => project.name === name))
  }

  /** Runs test files with `sources`, by path, in place of the files at these paths. */
  async run(
    specifications: TestSpecification[],
    sources: Map<string, string>,
    { bail = false, isHanging }: RunOptions,
  ): Promise<RunResult> {
    const vitest = this.#started()
    this.#failure = undefined
    this.#bail = bail
    this.#serve(sources)
    let isKilled = false
    const watchdog = setInterval(() => {
      if (!isHanging()) return
      isKilled = true
      killWorkers()
    }, 1000)
    await vitest.runTestSpecifications(specifications)
    clearInterval(watchdog)
    this.#serve(new Map())
    return { failure: this.#failure, isKilled }
  }

  /** Returns the paths of all modules loaded so far that import the file, directly or indirectly. */
  importersOf(path: string): Set<string> {
    const environments = this.#started().projects.flatMap(({ vite }) => Object.values(vite.environments))
    const seen = new Set(environments.flatMap(({ moduleGraph }) => [...(moduleGraph.getModulesByFile(path) ?? [])]))
    // Iterating over a set includes items added on the way.
    for (const module of seen) for (const importer of module.importers) seen.add(importer)
    return new Set([...seen].flatMap(({ file }) => file ?? []))
  }

  async close() {
    await this.#vitest?.close()
  }

  #started(): Vitest {
    if (!this.#vitest) throw new Error('The session of tests has not been started')
    return this.#vitest
  }

  #serve(sources: Map<string, string>) {
    const changed = [...this.#sources.keys(), ...sources.keys()]
    this.#sources = sources
    for (const path of changed) this.#started().invalidateFile(path)
  }

  #reporter(): Reporter {
    const fail = (what: string) => {
      this.#failure ??= what
      if (this.#bail) void this.#started().cancelCurrentRun('test-failure')
    }
    return {
      onTestCaseResult: (test) => {
        if (test.result().state === 'failed') fail(test.fullName)
      },
      onTestModuleEnd: (module) => {
        if (module.state() === 'failed') fail(module.relativeModuleId)
      },
      onTestRunEnd: (_modules, errors) => {
        if (errors[0]) this.#failure ??= errors[0].message
      },
    }
  }
}
