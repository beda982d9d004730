CREATE TABLE IF NOT EXISTS team (id TEXT PRIMARY KEY, name TEXT NOT NULL, revision INTEGER NOT NULL DEFAULT 1);
CREATE TABLE IF NOT EXISTS person (
    id TEXT PRIMARY KEY, team TEXT, name TEXT NOT NULL, mail TEXT NOT NULL, avatar TEXT, color TEXT,
    zone TEXT NOT NULL, api BOOLEAN NOT NULL DEFAULT FALSE);
CREATE TABLE IF NOT EXISTS login (secret TEXT PRIMARY KEY, person TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS board (
    team TEXT, id TEXT, name TEXT NOT NULL, about TEXT, color TEXT, position INTEGER NOT NULL, owner TEXT,
    made TEXT NOT NULL, changed TEXT NOT NULL, PRIMARY KEY (team, id));
CREATE TABLE IF NOT EXISTS lane (
    team TEXT, id TEXT, board TEXT NOT NULL, name TEXT NOT NULL, color TEXT, position INTEGER NOT NULL,
    made TEXT NOT NULL, PRIMARY KEY (team, id));
CREATE TABLE IF NOT EXISTS card (
    team TEXT, id TEXT, lane TEXT NOT NULL, title TEXT NOT NULL, about TEXT, priority TEXT NOT NULL, due TEXT,
    done TEXT, position INTEGER NOT NULL, labels TEXT NOT NULL, assignee TEXT, creator TEXT, made TEXT NOT NULL,
    changed TEXT NOT NULL, PRIMARY KEY (team, id));
CREATE TABLE IF NOT EXISTS note (
    team TEXT, id TEXT, title TEXT NOT NULL, body TEXT NOT NULL, color TEXT, pinned BOOLEAN NOT NULL,
    tags TEXT NOT NULL, author TEXT, made TEXT NOT NULL, changed TEXT NOT NULL, PRIMARY KEY (team, id));
CREATE TABLE IF NOT EXISTS trash (
    team TEXT, kind TEXT, id TEXT, json TEXT NOT NULL, deleted TEXT NOT NULL, PRIMARY KEY (team, kind, id));
CREATE TABLE IF NOT EXISTS answer (
    team TEXT, person TEXT, key TEXT, json TEXT NOT NULL, used TEXT NOT NULL, PRIMARY KEY (team, person, key));
