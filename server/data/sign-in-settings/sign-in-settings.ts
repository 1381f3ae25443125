import type { Connection } from 'mongoose'
import type { SignInSettings } from '#contract/sign-in-settings.ts'
import { signInSettingsModel, type SignInSettingsDocument } from './sign-in-settings-model.ts'

/** Reads and writes what super admins decided about signing in. */
export function createSignInSettingsRepository(connection: Connection) {
  const settings = signInSettingsModel(connection)

  /** Returns only the stored settings. */
  async function read(): Promise<Partial<SignInSettings>> {
    const { _id, ...stored } = (await settings.findById('settings').lean<SignInSettingsDocument>()) ?? {}
    return stored
  }

  async function change(changed: Partial<SignInSettings>): Promise<void> {
    await settings.updateOne({ _id: 'settings' }, { $set: changed }, { upsert: true })
  }

  return { read, change }
}
