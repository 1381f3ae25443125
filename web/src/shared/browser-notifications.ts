export type NotificationPermissionState = NotificationPermission | 'unavailable'

/** Returns whether this page may show browser notifications; they require https or localhost. */
export function readNotificationPermission(): NotificationPermissionState {
  return window.isSecureContext && 'Notification' in window ? Notification.permission : 'unavailable'
}

/** Asks the user for permission, unless they have already decided. */
export async function requestNotificationPermission(): Promise<NotificationPermissionState> {
  if (readNotificationPermission() !== 'default') return readNotificationPermission()
  return Notification.requestPermission()
}
