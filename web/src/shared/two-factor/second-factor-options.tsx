import { Text } from '@mantine/core'
import classes from './two-factor.module.css'

/** Names what serves as a second factor, also in rooms without phones. Passkeys where the page can use them: https only. */
export function SecondFactorOptions({ hasPasskeys }: { hasPasskeys: boolean }) {
  return (
    <div>
      <Text id="second-factor-ways">One of these is enough:</Text>
      <ul className={classes.ways} aria-labelledby="second-factor-ways">
        <li>an authenticator app on a phone</li>
        <li>an authenticator on this computer, such as KeePassXC</li>
        <li>a hardware token that shows codes, using its seed</li>
        <li>a printed list of 20 codes, each of which works once</li>
        {hasPasskeys && <li>a passkey: this device, a phone or a security key</li>}
      </ul>
    </div>
  )
}
