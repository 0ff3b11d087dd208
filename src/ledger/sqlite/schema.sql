-- Schema 1. Times are milliseconds since 1970; money is whole minor units. `claimed` and
-- `window_from` are moments by every clock, as JSON.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- One row for each thing that a merchant names. Its row is the lock of all its attempts.
CREATE TABLE reference (
    rid       INTEGER PRIMARY KEY,
    tenant    TEXT NOT NULL,
    family    TEXT NOT NULL,
    reference TEXT NOT NULL,
    frozen    INTEGER NOT NULL DEFAULT 0 CHECK (frozen IN (0, 1)),
    UNIQUE (tenant, family, reference)
) STRICT;

-- One row an attempt. Small: requests and replies stand apart.
CREATE TABLE operation (
    rid                INTEGER PRIMARY KEY,
    id                 TEXT NOT NULL UNIQUE,
    reference_rid      INTEGER NOT NULL REFERENCES reference (rid),
    attempt            INTEGER NOT NULL CHECK (attempt > 0),
    kind               TEXT NOT NULL,
    account            TEXT NOT NULL,
    idem_key           TEXT NOT NULL,
    minor              INTEGER NOT NULL CHECK (minor > 0),
    currency           TEXT NOT NULL,
    parent             TEXT,
    root_rid           INTEGER REFERENCES payment (rid),
    baseline           TEXT,
    -- The step that it is at, if it is not the first one.
    further            TEXT,
    -- Evidence contradicts it: a person must say what became of it.
    contradicted       INTEGER NOT NULL DEFAULT 0 CHECK (contradicted IN (0, 1)),
    fingerprint        TEXT NOT NULL,
    fingerprint_sha256 BLOB NOT NULL,
    state              TEXT NOT NULL CHECK (state IN (
        'queued', 'sending', 'unsent', 'action_required', 'pending', 'unknown',
        'succeeded', 'declined', 'rejected', 'canceled', 'not_executed', 'reversed')),
    closing            INTEGER NOT NULL DEFAULT 0 CHECK (closing IN (0, 1)),
    epoch              INTEGER NOT NULL,
    ended_epoch        INTEGER NOT NULL DEFAULT 0,
    owner              TEXT,
    claimed            TEXT,
    lease_until        INTEGER,
    maybe_sent         INTEGER NOT NULL DEFAULT 0,
    maybe_sent_open    INTEGER NOT NULL DEFAULT 0,
    window_from        TEXT,
    first_sent         INTEGER,
    last_sent          INTEGER,
    send_until         INTEGER NOT NULL,
    rule               TEXT NOT NULL,
    look_up_only       INTEGER NOT NULL DEFAULT 0 CHECK (look_up_only IN (0, 1)),
    stored_error       INTEGER NOT NULL DEFAULT 0 CHECK (stored_error IN (0, 1)),
    standing           TEXT NOT NULL DEFAULT '{}',
    sends              INTEGER NOT NULL DEFAULT 0,
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    UNIQUE (reference_rid, attempt),
    UNIQUE (account, idem_key),
    CHECK ((owner IS NULL) = (lease_until IS NULL)),
    CHECK ((owner IS NULL) = (claimed IS NULL)),
    CHECK ((parent IS NULL) = (kind IN ('charge', 'authorize'))),
    CHECK ((parent IS NULL) = (root_rid IS NULL)),
    -- What may have had an effect is never called unsent, and what is unknown may have had one.
    CHECK (state <> 'unsent' OR maybe_sent = 0),
    CHECK (state <> 'unknown' OR maybe_sent > 0),
    -- What is being ended is neither settled nor free to be sent.
    CHECK (closing = 0 OR state IN ('sending', 'action_required', 'pending', 'unknown'))
) STRICT;

CREATE INDEX operation_root ON operation (root_rid) WHERE root_rid IS NOT NULL;
CREATE INDEX operation_owner ON operation (owner) WHERE owner IS NOT NULL;

-- An attempt starts only after every lower one is definitely without effect.
CREATE TRIGGER attempt_needs_a_definite_no
BEFORE INSERT ON operation
WHEN new.attempt > 1
    AND new.attempt - 1 <> (
        SELECT count(*) FROM operation
        WHERE reference_rid = new.reference_rid
            AND attempt < new.attempt
            AND state IN ('declined', 'rejected', 'canceled', 'not_executed'))
BEGIN
    SELECT raise(ABORT, 'an earlier attempt may still have an effect');
END;

-- One operation has one key, one amount and one account for its whole life.
CREATE TRIGGER operation_identity_is_fixed
BEFORE UPDATE OF id, reference_rid, attempt, kind, account, idem_key, minor, currency, parent,
    root_rid, fingerprint, fingerprint_sha256, rule, created_at ON operation
BEGIN
    SELECT raise(ABORT, 'the identity of an operation never changes');
END;

-- What was read before the first send is not read anew.
CREATE TRIGGER baseline_is_fixed
BEFORE UPDATE OF baseline ON operation
WHEN old.baseline IS NOT NULL AND new.baseline IS NOT old.baseline
BEGIN
    SELECT raise(ABORT, 'a baseline never changes');
END;

-- Captures, and refunds, never exceed their payment, counting those that may still take effect.
CREATE TRIGGER never_more_than_the_payment
BEFORE INSERT ON operation
WHEN new.kind IN ('capture', 'refund')
    AND new.minor > (
        SELECT p.minor - CASE new.kind WHEN 'capture' THEN p.captured_before
            ELSE p.refunded_before END FROM payment p WHERE p.rid = new.root_rid)
        - (SELECT coalesce(sum(
                max(o.minor, coalesce(json_extract(o.standing, '$.effect.money.minor'), 0))
                * (1 + coalesce(json_array_length(o.standing, '$.duplicates'), 0))), 0)
            FROM operation o JOIN reference r ON r.rid = o.reference_rid
            WHERE o.root_rid = new.root_rid AND o.kind = new.kind AND (r.frozen = 1
                OR o.state NOT IN ('declined', 'rejected', 'canceled', 'not_executed')))
BEGIN
    SELECT raise(ABORT, 'more than the payment');
END;

-- One money-moving request of an operation; most have one.
CREATE TABLE step (
    rid           INTEGER PRIMARY KEY,
    operation_rid INTEGER NOT NULL REFERENCES operation (rid),
    n             INTEGER NOT NULL CHECK (n > 0),
    purpose       TEXT NOT NULL CHECK (purpose IN ('move', 'proceed', 'close')),
    account       TEXT NOT NULL,
    idem_key      TEXT NOT NULL,
    method        TEXT NOT NULL,
    path          TEXT NOT NULL,
    headers       TEXT NOT NULL,
    body          BLOB,
    UNIQUE (operation_rid, n)
) STRICT;

-- The first step's key is its operation's, and unique there.
CREATE UNIQUE INDEX step_key ON step (account, idem_key) WHERE n > 1;

-- The bytes of a request never change. A body may only be erased, and with it a path, which can
-- hold a token.
CREATE TRIGGER step_is_fixed
BEFORE UPDATE ON step
WHEN new.body IS NOT NULL OR new.idem_key <> old.idem_key
    OR (new.path <> old.path AND new.path <> '')
    OR new.headers <> old.headers OR new.method <> old.method
BEGIN
    SELECT raise(ABORT, 'a stored request never changes');
END;

-- One HTTP exchange: the n-th of a claim.
CREATE TABLE send (
    rid           INTEGER PRIMARY KEY,
    operation_rid INTEGER NOT NULL REFERENCES operation (rid),
    step          INTEGER NOT NULL DEFAULT 1,
    epoch         INTEGER NOT NULL,
    n             INTEGER NOT NULL,
    purpose       TEXT NOT NULL CHECK (purpose IN ('send', 'look_up', 'close')),
    started_at    INTEGER NOT NULL,
    latency_ms    INTEGER NOT NULL,
    status        INTEGER,
    class         TEXT NOT NULL,
    request_id    TEXT,
    UNIQUE (operation_rid, epoch, n)
) STRICT;

-- What came back, cut to a limit and without secrets.
CREATE TABLE reply (
    send_rid INTEGER PRIMARY KEY REFERENCES send (rid),
    body     BLOB NOT NULL
) STRICT;

-- Payments at the gateways: a root, and every id that a capture, void or refund of it returned.
CREATE TABLE payment (
    rid           INTEGER PRIMARY KEY,
    tenant        TEXT NOT NULL,
    account       TEXT NOT NULL,
    provider_id   TEXT NOT NULL,
    root_rid      INTEGER REFERENCES payment (rid),
    operation_rid INTEGER REFERENCES operation (rid),
    kind          TEXT NOT NULL,
    minor         INTEGER NOT NULL CHECK (minor > 0),
    currency      TEXT NOT NULL,
    -- What an adopted payment had captured and refunded already.
    captured_before INTEGER NOT NULL DEFAULT 0,
    refunded_before INTEGER NOT NULL DEFAULT 0,
    created_at    INTEGER NOT NULL,
    UNIQUE (account, provider_id)
) STRICT;

-- One operation makes one payment, whatever other names it gets.
CREATE UNIQUE INDEX payment_made_once ON payment (operation_rid)
    WHERE root_rid IS NULL AND operation_rid IS NOT NULL;

-- Verified webhooks, each once.
CREATE TABLE notice (
    rid           INTEGER PRIMARY KEY,
    account       TEXT NOT NULL,
    delivery      TEXT NOT NULL,
    operation_rid INTEGER REFERENCES operation (rid),
    received_at   INTEGER NOT NULL,
    applied_at    INTEGER,
    body          BLOB,
    UNIQUE (account, delivery)
) STRICT;

-- What a person decided, who, and why.
CREATE TABLE resolution (
    rid           INTEGER PRIMARY KEY,
    operation_rid INTEGER NOT NULL REFERENCES operation (rid),
    decision      TEXT NOT NULL,
    who           TEXT NOT NULL,
    why           TEXT NOT NULL,
    decided_at    INTEGER NOT NULL
) STRICT;

-- What a person must see.
CREATE TABLE alarm (
    rid             INTEGER PRIMARY KEY,
    kind            TEXT NOT NULL,
    operation_rid   INTEGER REFERENCES operation (rid),
    detail          TEXT NOT NULL,
    raised_at       INTEGER NOT NULL,
    acknowledged_by TEXT,
    acknowledged_at INTEGER
) STRICT;
