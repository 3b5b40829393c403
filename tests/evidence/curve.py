"""The curve of Ed25519 in its plainest form (RFC 8032, section 5.1): an independent way to find weak keys."""

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
NEUTRAL = (0, 1)

Point = tuple[int, int]


def plus(one: Point, other: Point) -> Point:
    (x1, y1), (x2, y2) = one, other
    product = D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P
    y = (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P
    return x, y


def times(number: int, point: Point) -> Point:
    result = NEUTRAL
    while number:
        if number & 1:
            result = plus(result, point)
        point = plus(point, point)
        number >>= 1
    return result


def with_y(y: int) -> list[Point]:
    """Return the points of the curve that have this y."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    if root * root % P != square:
        root = root * pow(2, (P - 1) // 4, P) % P
    return sorted({(root, y), (-root % P, y)}) if root * root % P == square else []


def encodings(point: Point) -> list[bytes]:
    """Return all 32-byte strings that a lenient reader accepts as a point: y or y + P, and any sign if x is 0."""
    x, y = point
    signs = (0, 1) if x == 0 else (x & 1,)
    ys = (y, y + P) if y + P < 2**255 else (y,)
    return [(one | sign << 255).to_bytes(32, "little") for one in ys for sign in signs]
