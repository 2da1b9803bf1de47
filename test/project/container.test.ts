import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/config/config.js'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const lines = read('Dockerfile').replaceAll('\\\n', ' ').split('\n')
const SECRET = 'a-secret-of-more-than-32-characters'

/** The settings that a container has, from `ENV`. */
function environment(): Record<string, string> {
  const words = lines
    .filter((line) => line.startsWith('ENV '))
    .flatMap((line) => line.slice(4).trim().split(/\s+/))
  return Object.fromEntries(words.map((word) => word.split('=', 2)))
}

/** Whether there is such a file or folder, or one that such a pattern matches. */
function isThere(path: string): boolean {
  const [folder = '', ending] = path.split('*')
  return ending === undefined
    ? existsSync(new URL(path, ROOT))
    : readdirSync(new URL(folder, ROOT)).some((name) => name.endsWith(ending))
}

describe('E9: the container, as far as it can be judged without an engine', () => {
  test('E9: every file that is copied is there, and is not ignored', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.slice(5).trim().split(/\s+/).slice(0, -1))
    expect(copied.length).toBeGreaterThan(8)
    for (const path of copied) {
      expect(isThere(path), path).toBe(true)
      expect(allowed, path).toContain(path.split('/')[0])
    }
    expect(lines.filter((line) => line.startsWith('COPY --from='))).toEqual([
      'COPY --from=build /build/node_modules node_modules',
      'COPY --from=build /build/dist dist',
    ])
  })

  test('E9: all that a package holds is in the image', () => {
    const { files } = JSON.parse(read('package.json'))
    const runtime = lines.slice(lines.lastIndexOf(lines.findLast((line) => line.startsWith('FROM ')) ?? ''))
    const copied = runtime.filter((line) => line.startsWith('COPY ')).flatMap((line) => line.split(/\s+/))
    // Sources of pages and plugins are for the machines of people, not for the service.
    const forPeople = ['docs', 'plugins', '.claude-plugin']
    const needed = files.filter((name: string) => !name.endsWith('.md') && !forPeople.includes(name))
    for (const path of needed) expect(copied).toContain(path)
  })

  test('E9: its settings are settings, and refuse to start without a secret', () => {
    const { NODE_ENV: _, ...env } = environment()
    expect(() => readConfig(env, {})).toThrow('LOREGRAPH_SECRET must be set')
    expect(readConfig({ ...env, LOREGRAPH_SECRET: SECRET }, {})).toMatchObject({
      host: '0.0.0.0',
      data: '/data',
    })
    expect(lines).toContain(`EXPOSE ${env['LOREGRAPH_PORT']}`)
    expect(lines).toContain(`VOLUME ${env['LOREGRAPH_DATA']}`)
  })

  test('E9: not as root, stopped by SIGTERM to the program itself, watched by it', () => {
    expect(lines).toContain('USER node')
    expect(lines).toContain('STOPSIGNAL SIGTERM')
    expect(lines).toContain('ENTRYPOINT ["node", "dist/main.js"]')
    const [command = ''] = lines
      .filter((line) => line.startsWith('HEALTHCHECK '))
      .map((line) => line.split(' CMD ')[1])
    expect(JSON.parse(command).slice(0, 2)).toEqual(['node', '-e'])
    expect(command).toContain('/livez')
  })

  test('E9: compose: every setting is one, nothing is reachable from outside, the file system is read-only', () => {
    const { services } = parse(read('compose.yaml'))
    const { environment: settings, ports, read_only, cap_drop, volumes } = services.loregraph
    const filled = Object.fromEntries(
      Object.entries<string>(settings).map(([name, value]) => [name, /:-(.*)\}$/.exec(value)?.[1] ?? SECRET]),
    )
    expect(() => readConfig(filled, {})).not.toThrow()
    expect(ports).toEqual([`127.0.0.1:7400:${environment()['LOREGRAPH_PORT']}`])
    expect(volumes).toEqual([`data:${environment()['LOREGRAPH_DATA']}`])
    expect({ read_only, cap_drop }).toEqual({ read_only: true, cap_drop: ['ALL'] })
    expect(services.schemathesis.profiles).toEqual(['test'])
  })

  test('E9: the health check as the container runs it: 0 when it is alive, 1 when nobody is there', async () => {
    const [command = ''] = lines
      .filter((line) => line.startsWith('HEALTHCHECK '))
      .map((line) => line.split(' CMD ')[1])
    const [, flag = '', code = ''] = JSON.parse(command)
    const server = createServer((req, res) => res.writeHead(req.url === '/livez' ? 200 : 404).end())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const check = async () => {
      const child = spawn(process.execPath, [flag, code], {
        env: { LOREGRAPH_PORT: String(port) },
        cwd: fileURLToPath(ROOT),
      })
      return (await once(child, 'exit'))[0]
    }
    expect(await check()).toBe(0)
    server.closeAllConnections()
    await once(server.close(), 'close')
    expect(await check()).toBe(1)
  })
})
