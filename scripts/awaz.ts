// npm run awaz -- COMMAND ...: the command line of the product. Each command is loaded only when it is called.
import { version } from '#data/version.ts'
import { runCommand } from './cli/run-command.ts'
import { withCommandName } from './cli/command-name.ts'

type Run = (args: string[]) => Promise<number>

const commands: Record<string, { summary: string; load: () => Promise<{ run: Run }> }> = {
  transcribe: { summary: 'transcribe a recording, translate it, scan it', load: () => import('./cli/transcribe.ts') },
  admin: {
    summary: 'accounts: create, list, role, unlock, reset-password, reset-2fa',
    load: () => import('./admin/main.ts'),
  },
  db: { summary: 'export or import the whole database', load: () => import('./db/main.ts') },
  audio: {
    summary: 'where recordings are kept; move them into the store of AUDIO_STORE while Awaz runs',
    load: () => import('./cli/audio.ts'),
  },
  backup: {
    summary: 'back up while Awaz runs; list, verify and prune backups',
    load: () => import('./backup/main.ts'),
  },
  restore: {
    summary: 'restore a backup into an empty folder, or the sound of single recordings while Awaz runs',
    load: () => import('./backup/restore/main.ts'),
  },
  doctor: {
    summary: 'find what is wrong with this instance, and what mends it',
    load: () => import('./doctor/main.ts'),
  },
  support: {
    summary: 'an archive to send to whoever helps: versions, settings, findings, without words, names or addresses',
    load: () => import('./support/main.ts'),
  },
  upgrade: {
    summary: 'what an upgrade to a newer release would do; go back to a restore point',
    load: () => import('./upgrade/main.ts'),
  },
  'verify-release': {
    summary: 'compare an unpacked release with its checksums and signature',
    load: () => import('./upgrade/verify-release.ts'),
  },
  models: { summary: 'models: list, pull, import, verify, use, remove, export', load: () => import('./cli/models.ts') },
  retention: {
    summary: 'what would be deleted by the days that are set, and when; what is on legal hold',
    load: () => import('./cli/retention.ts'),
  },
  logs: {
    summary: 'what happened to a job, and what to do; the jobs that failed last',
    load: () => import('./logs/main.ts'),
  },
  'log-level': {
    summary: 'from which level every process logs; change it for a while without a restart',
    load: () => import('./cli/log-level.ts'),
  },
  search: { summary: 'the search index: status, rebuild', load: () => import('./cli/search.ts') },
  evaluate: { summary: 'measure models on your own recordings or texts', load: () => import('./cli/evaluate.ts') },
  gpu: { summary: 'install: fetch the CUDA or Vulkan build for translation', load: () => import('./cli/gpu.ts') },
}

function usage(): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(16)} ${summary}`)
  return [
    'Usage: npm run awaz -- COMMAND [arguments]',
    '',
    ...rows,
    '',
    'COMMAND --help says more about each; --version says which Awaz this is.',
  ].join('\n')
}

async function main(args: string[]): Promise<number> {
  const [name = 'help', ...rest] = args
  if (['help', '--help', '-h'].includes(name)) {
    console.log(withCommandName(usage()))
    return 0
  }
  if (name === '--version') {
    console.log(version)
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    console.error(`There is no command "${name}".\n\n${withCommandName(usage())}`)
    return 1
  }
  const { run } = await command.load()
  return run(rest)
}

const args = process.argv.slice(2)
// These read the settings themselves, so that they can report an invalid one.
await runCommand(() => main(args), { readsSettings: !['doctor', 'support'].includes(args[0] ?? '') })
