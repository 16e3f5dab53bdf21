/* Other programs, a few at a time, each with its log and time limit. */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_TIMEOUT = 120, POLL_NS = 1000000 };

Job *job_new(HeliaArena *arena, const char *cwd, const char *log, JobDone done, void *user)
{
    Job *job = HELIA_NEW(arena, Job);
    job->cwd = cwd;
    job->log = log;
    job->done = done;
    job->user = user;
    job->timeout = DEFAULT_TIMEOUT;
    return job;
}

void job_arg(HeliaArena *arena, Job *job, const char *arg)
{
    HELIA_PUSH(arena, &job->args, arg);
}

void job_words(HeliaArena *arena, Job *job, const char *words)
{
    for (const char *p = words; *p;) {
        size_t n = strcspn(p, " ");
        if (n)
            job_arg(arena, job, helia_strndup(arena, p, n));
        p += n + (p[n] == ' ');
    }
}

void jobs_add(Jobs *jobs, Job *job)
{
    HELIA_PUSH(jobs->arena, &jobs->waiting, job);
}

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

static void become(const Job *job, char *const *argv)
{
    int log = open(job->log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    int nothing = open("/dev/null", O_RDONLY);
    if (log < 0 || nothing < 0 || (job->cwd && chdir(job->cwd) != 0))
        _exit(127);
    dup2(nothing, 0);
    dup2(log, 1);
    dup2(log, 2);
    execvp(argv[0], argv);
    static const char message[] = "cannot be started\n";
    ssize_t written = write(2, message, sizeof(message) - 1);
    (void)written; /* nowhere else to say it */
    _exit(127);
}

static void start(Jobs *jobs, Job *job)
{
    char **argv = HELIA_NEW_N(jobs->arena, char *, job->args.len + 1u);
    for (uint32_t i = 0; i < job->args.len; i++)
        argv[i] = helia_strdup(jobs->arena, job->args.at[i]);
    pid_t pid = fork();
    if (pid == 0)
        become(job, argv);
    if (pid < 0) {
        job->status = JOB_NOT_STARTED;
        job->done(job->user, job);
        return;
    }
    job->pid = pid;
    job->until = now_ms() + (uint64_t)job->timeout * 1000u;
    HELIA_PUSH(jobs->arena, &jobs->running, job);
}

/* Whether it has ended; a job past its time is ended here. */
static bool finished(Job *job)
{
    int status = 0;
    pid_t pid = waitpid((pid_t)job->pid, &status, WNOHANG);
    if (pid == 0 && now_ms() >= job->until) {
        kill((pid_t)job->pid, SIGKILL);
        waitpid((pid_t)job->pid, &status, 0);
        job->status = JOB_TIMEOUT;
        return true;
    }
    if (pid == 0)
        return false;
    job->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return true;
}

void jobs_drain(Jobs *jobs)
{
    while (jobs->next < jobs->waiting.len || jobs->running.len > 0) {
        while (jobs->next < jobs->waiting.len && jobs->running.len < (uint32_t)jobs->parallel)
            start(jobs, jobs->waiting.at[jobs->next++]);
        bool any = false;
        for (uint32_t i = 0; i < jobs->running.len;) {
            Job *job = jobs->running.at[i];
            if (!finished(job)) {
                i++;
                continue;
            }
            jobs->running.at[i] = jobs->running.at[--jobs->running.len];
            job->done(job->user, job);
            any = true;
        }
        if (!any && jobs->running.len > 0)
            nanosleep(&(struct timespec){0, POLL_NS}, NULL);
    }
}

const char *job_status_text(HeliaArena *arena, int status)
{
    if (status == JOB_TIMEOUT)
        return "took too long";
    if (status == JOB_NOT_STARTED)
        return "could not be started";
    if (status > 128 && status < JOB_TIMEOUT)
        return helia_format(arena, "ended by signal %d", status - 128);
    return helia_format(arena, "ended with status %d", status);
}
