/** Shows an offline page when the server cannot be reached, and the notifications of tables; it keeps nothing else. */

/** @type {any} The types of workers cannot be used together with those of pages. */
const worker = self;

const KEPT = "offline";
const OFFLINE = "/web/offline.html";
const FILES = [OFFLINE, "/web/offline.js", "/web/styles/base.css", "/web/icon.svg"];

const keep = async () => (await caches.open(KEPT)).addAll(FILES);

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep()));

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.mode === "navigate") {
    const answer = fetch(request);
    event.respondWith(answer.catch(() => caches.match(OFFLINE)));
    event.waitUntil(answer.then(keep).catch(() => {})); // so that the kept files are those of the server's version
  } else if (FILES.includes(pathname)) {
    event.respondWith(fetch(request).catch(async () => (await caches.match(request)) ?? Response.error()));
  }
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  const { path } = event.notification.data;
  event.notification.close();
  const found = async () => {
    const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = windows.find((/** @type {any} */ { url }) => new URL(url).pathname === path);
    await (open ? open.focus() : worker.clients.openWindow(path));
  };
  event.waitUntil(found());
});
