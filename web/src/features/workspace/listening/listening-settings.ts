import { useCallback } from 'react'
import { z } from 'zod'
import { clipFormats } from '#contract/clip.ts'
import { atomWithStorage, useAtom } from '../../../shared/jotai.ts'
import { useUser } from '../../../shared/session/session.ts'

const ChannelSound = z.object({ volume: z.number().min(0).max(1), pan: z.number().min(-1).max(1) })

/** How a person listens. It changes what is heard, never what is stored or transcribed. */
const ListeningSettings = z.object({
  /** Left and right; each is heard on its side at first. */
  channels: z.tuple([ChannelSound, ChannelSound]).catch([
    { volume: 1, pan: -1 },
    { volume: 1, pan: 1 },
  ]),
  /** How much louder it is played, in decibels. */
  boostDb: z.number().min(0).max(24).catch(0),
  /** Quiet voices are raised and loud ones lowered. */
  isEvened: z.boolean().catch(false),
  /** Only 300 to 3,400 Hz are heard. */
  isTelephone: z.boolean().catch(false),
  /** Rumble and what is quieter than speech are lowered. */
  isDenoised: z.boolean().catch(false),
  /** The silence before a part is repeated. */
  repeatPauseSeconds: z.number().min(0).max(10).catch(0.5),
  /** What a part is saved as. */
  clipFormat: z.enum(clipFormats).catch('wav'),
  /** Keys that were changed, by action. */
  keys: z.record(z.string(), z.string()).catch({}),
  /** Actions that were chosen for foot pedals, by the number of the pedal; empty for none. */
  pedals: z.record(z.string(), z.string()).catch({}),
  /** A pedal that plays stops playing when it comes up. */
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

/** By user: several people may use one browser. */
const storedAtom = atomWithStorage<Stored>('awaz_listening', {}, storage, { getOnInit: true })

/** Returns how the signed-in person listens in this browser, and a setter for parts of it. */
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
