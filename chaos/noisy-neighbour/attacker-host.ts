import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

export type AttackerHost = {
  /** Where it reaches the service. */
  service_host: string
  start(program: URL): ChildProcess
} & Disposable

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] })

/**
 * The attacker's machine. As root it has a network of its own: on loopback, whose segments have 64 kB, a connection that is not read
 * takes megabytes of the kernel's memory, forty times as much as on Ethernet, and a few hundred of them slow down every socket of the
 * machine. Its processes have the lowest priority, because an attacker does not attack with the service's processors.
 */
export function openAttackerHost(): AttackerHost {
  if (process.getuid?.() !== 0)
    return {
      service_host: '127.0.0.1',
      start: (program) => startLast([process.execPath, fileURLToPath(program)]),
      [Symbol.dispose]() {},
    }
  const name = `vdma${randomInt(0x10000).toString(16)}`
  const subnet = `10.214.${randomInt(256)}`
  ip('netns', 'add', name)
  ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  ip('address', 'add', `${subnet}.1/24`, 'dev', name)
  ip('link', 'set', name, 'up')
  ip('-n', name, 'address', 'add', `${subnet}.2/24`, 'dev', 'eth0')
  ip('-n', name, 'link', 'set', 'eth0', 'up')
  return {
    service_host: `${subnet}.1`,
    start: (program) => startLast(['ip', 'netns', 'exec', name, process.execPath, fileURLToPath(program)]),
    [Symbol.dispose]: () => void ip('netns', 'delete', name),
  }
}

/** Starts a program that gets a processor only when nothing else wants it. */
function startLast([command = '', ...args]: string[]): ChildProcess {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true })
  const { pid } = child
  if (pid === undefined) return child
  setPriority(pid, constants.priority.PRIORITY_LOW)
  // Where the kernel groups processes by session, priorities count within a session; the child has its own.
  const group = `/proc/${pid}/autogroup`
  if (existsSync(group)) writeFileSync(group, String(constants.priority.PRIORITY_LOW))
  return child
}
