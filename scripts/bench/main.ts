// npm run bench -- PART [arguments]: prints figures and ratios. Every figure that the docs quote was printed by a bench.
interface Bench {
  summary: string
  load: () => Promise<{ run: (args: string[]) => Promise<void> }>
}

const parts: Record<string, Bench> = {
  keywords: {
    summary: 'keyword scan of long texts; with --lines what is found in transcripts of people',
    load: () => import('./keywords.ts'),
  },
  db: { summary: 'embedded database: restart, writes, reads, claims', load: () => import('./db.ts') },
  backup: { summary: 'backup and restore, beside tar through the same cipher', load: () => import('./backup.ts') },
  api: { summary: 'latency and throughput of the server', load: () => import('./api.ts') },
  library: {
    summary: 'sorts, filters and changes of a library of 10,000 recordings, and which queries scan',
    load: () => import('./library/main.ts'),
  },
  commands: {
    summary: 'database commands for each action of a person: request, follower, and what the page asks again',
    load: () => import('./commands/main.ts'),
  },
  fairness: {
    summary: "what attacks cost everybody else: memory, another user's calls",
    load: () => import('./fairness/main.ts'),
  },
  web: { summary: 'bytes, requests, long tasks, LCP and CLS of the first load', load: () => import('./web.ts') },
  volume: {
    summary: 'tags, scans, deletes and restores 1,000 recordings beside three open tabs: calls, refusals, long tasks',
    load: () => import('./volume/main.ts'),
  },
  voices: {
    summary: 'recordings of people through the whole pipeline, also against faster-whisper',
    load: () => import('./voices.ts'),
  },
  names: {
    summary: 'words and names that are listed: their recall, and the errors of all other words',
    load: () => import('./names.ts'),
  },
  'nearly-heard': {
    summary: 'keywords in what was nearly heard: recall, false alarms an hour, CPU time',
    load: () => import('./nearly-heard.ts'),
  },
  spellings: {
    summary: 'other spellings of names of people and places: how many are found, and what else is',
    load: () => import('./spellings.ts'),
  },
  overlap: {
    summary: 'two people at once on two channels: own speech taken out as bleed, and bleed that is kept',
    load: () => import('./overlap/main.ts'),
  },
  remote: {
    summary: 'transcription servers: errors beside the local engine, and calls during which servers fail',
    load: () => import('./remote.ts'),
  },
  scale: {
    summary: 'throughput of two engines beside one, with transcription servers too; each clip done once',
    load: () => import('./scale.ts'),
  },
  translation: {
    summary: "translation models on news in five languages: chrF, and speed beside llama.cpp's own server",
    load: () => import('./translation.ts'),
  },
  compare: {
    summary: 'a part on an earlier commit beside the working tree, taking turns: compare REVISION PART [--rounds N]',
    load: () => import('./compare.ts'),
  },
  search: {
    summary:
      'search in transcripts of 10, 100 and 1,000 hours: time of queries, size of the index, how soon a line is found',
    load: () => import('./search.ts'),
  },
  sizing: {
    summary: 'memory, CPU and disk of an installation: at rest, a person at work, an hour of sound',
    load: () => import('./sizing/main.ts'),
  },
  rest: {
    summary: 'commands of each process, by collection, and CPU while nobody uses the product',
    load: () => import('./rest/main.ts'),
  },
  'audio-store': {
    summary: 'uploading and playing a file of 100 MB that is kept in a folder or in GridFS, taking turns',
    load: () => import('./audio-store.ts'),
  },
  uploads: {
    summary: 'a resumable upload of 2 GB, also over a connection that is cut 20 times: time, bytes sent twice, memory',
    load: () => import('./uploads.ts'),
  },
  accuracy: {
    summary: 'word error rate and translation accuracy of the demo models',
    load: () => import('./accuracy.ts'),
  },
}

const [name = '', ...args] = process.argv.slice(2)
const part = Object.hasOwn(parts, name) ? parts[name] : undefined
if (part) {
  const { run } = await part.load()
  await run(args)
} else {
  const rows = Object.entries(parts).map(([key, { summary }]) => `  ${key.padEnd(10)} ${summary}`)
  console.error(`Usage: npm run bench -- PART\n\n${rows.join('\n')}`)
  process.exitCode = name === '' ? 0 : 1
}
