import { useDirection } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'
import { toastLimit } from '../shared/toast.tsx'

/** Shows toasts at the top right (accounts specification, section 2), or at the top left if the navigation is on the right. */
export function Toasts() {
  const { dir } = useDirection()
  return <Notifications position={dir === 'rtl' ? 'top-left' : 'top-right'} limit={toastLimit} />
}
