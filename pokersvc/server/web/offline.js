/** Tries again when asked, and as soon as the device has a connection; the address keeps the part after its #. */

const again = () => location.reload();
document.querySelector("button")?.addEventListener("click", again);
addEventListener("online", again);
