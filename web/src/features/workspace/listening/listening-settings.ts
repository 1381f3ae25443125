import { useCallback } from 'react'
import { z } from 'zod'
import { clipFormats } from '#contract/clip.ts'
import { atomWithStorage, useAtom } from '../../../shared/jotai.ts'
import { useUser } from '../../../shared/session/session.ts'

const ChannelSound = z.object({ volume: z.number().min(0).max(1), pan: z.number().min(-1).max(1) })

/** How a person listens. This changes what is heard, never what is stored or transcribed. */
const ListeningSettings = z.object({
  /** Left and right; by default each is heard on its side. */
  channels: z.tuple([ChannelSound, ChannelSound]).catch([
    { volume: 1, pan: -1 },
    { volume: 1, pan: 1 },
  ]),
  /** How much louder to play the recording, in decibels. */
  boostDb: z.number().min(0).max(24).catch(0),
  /** Raises quiet voices and lowers loud ones. */
  isEvened: z.boolean().catch(false),
  /** Plays only 300 to 3,400 Hz. */
  isTelephone: z.boolean().catch(false),
  /** Lowers rumble and anything quieter than speech. */
  isDenoised: z.boolean().catch(false),
  /** The pause before a part is repeated. */
  repeatPauseSeconds: z.number().min(0).max(10).catch(0.5),
  /** The file format for saved parts. */
  clipFormat: z.enum(clipFormats).catch('wav'),
  /** Changed keys, by action. */
  keys: z.record(z.string(), z.string()).catch({}),
  /** Actions chosen for foot pedals, by pedal number; an empty string for no action. */
  pedals: z.record(z.string(), z.string()).catch({}),
  /** Releasing a pedal that plays stops playback. */
  playsWhileHeld: z.boolean().catch(true),
})
export type ListeningSettings = z.infer<typeof ListeningSettings>

export const defaultListening: ListeningSettings = ListeningSettings.parse({})

const Stored = z.record(z.string(), ListeningSettings)
type Stored = z.infer<typeof Stored>

const storage = {
  getItem(key: string, initial: Stored): Stored {
    try {
      return Stored.parse(JSON.parse(localStorage.getItem(key) ?? '{}'))
    } catch {
      return initial
    }
  },
  setItem: (key: string, value: Stored) => localStorage.setItem(key, JSON.stringify(value)),
  removeItem: (key: string) => localStorage.removeItem(key),
}

/** Stored by user, since several people may use one browser. */
const storedAtom = atomWithStorage<Stored>('awaz_listening', {}, storage, { getOnInit: true })

/** Returns the signed-in user's listening settings in this browser, and a setter for parts of them. */
export function useListeningSettings() {
  const { id } = useUser()
  const [stored, setStored] = useAtom(storedAtom)
  const change = useCallback(
    (part: Partial<ListeningSettings>) =>
      setStored((all) => ({ ...all, [id]: { ...defaultListening, ...all[id], ...part } })),
    [id, setStored],
  )
  return { listening: stored[id] ?? defaultListening, change }
}
