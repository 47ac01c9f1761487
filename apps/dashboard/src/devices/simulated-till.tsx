import { useEffect, useState } from 'react'
import { MonitorSmartphone } from 'lucide-react'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'

/** The till's name for the tokens of a simulated till, which are apart from those of a real one in this browser. */
const storePrefix = 'vidimus-till-simulated-'

/** Opens a till in a window of its own. With a pairing code it pairs itself; the code is in the fragment, which browsers do not send. */
export function SimulatedTillButton({
  device_id,
  pairing_code,
  label,
}: {
  device_id: string
  pairing_code?: string
  label?: string
}) {
  const text = useTexts().devices
  const fragment = pairing_code === undefined ? '' : `#${pairing_code}`
  const open = () =>
    window.open(`/till?simulated=${device_id}${fragment}`, '', 'popup,noopener,width=540,height=900')
  return (
    <Button
      size={pairing_code === undefined ? 'small' : 'normal'}
      icon={<MonitorSmartphone className="size-4" aria-hidden />}
      onClick={open}
    >
      {label ?? text.open_simulated_till}
    </Button>
  )
}

/** The devices whose simulated till was paired in this browser. */
export function useSimulatedTills(): ReadonlySet<string> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const read = () =>
      void indexedDB.databases().then(
        (databases) => setIds(new Set(databases.flatMap(({ name = '' }) => readDeviceId(name)))),
        // The browser has no such list, or blocks storage: there is no button to open one again.
        () => undefined,
      )
    read()
    window.addEventListener('focus', read)
    return () => window.removeEventListener('focus', read)
  }, [])
  return ids
}

function readDeviceId(name: string): string[] {
  return name.startsWith(storePrefix) ? [name.slice(storePrefix.length)] : []
}
