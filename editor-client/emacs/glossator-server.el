;;; glossator-server.el --- Options, and commands of the server  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; What the user sets, what a client of the protocol provides, and how a command is run by it.

;;; Code:

(require 'cl-lib)
(require 'flymake)
(require 'subr-x)
(require 'url-util)

;;;; Options

(defgroup glossator nil
  "Explains code, answers questions, checks conventions."
  :group 'tools
  :link '(url-link :tag "Skills that it reads" "https://agentskills.io")
  :prefix "glossator-")

(defcustom glossator-command '("glossator" "lsp")
  "Program and arguments that start the server."
  :type '(repeat string))

(defcustom glossator-modes
  '(c-mode c-ts-mode c++-mode c++-ts-mode csharp-mode csharp-ts-mode go-mode go-ts-mode
    gfm-mode java-mode java-ts-mode js-mode js-ts-mode js2-mode markdown-mode php-mode php-ts-mode
    python-mode python-ts-mode ruby-mode ruby-ts-mode rust-mode rust-ts-mode sql-mode tsx-ts-mode
    typescript-mode typescript-ts-mode)
  "Major modes that Glossator is used in."
  :type '(repeat symbol))

(defcustom glossator-settings nil
  "Glossator's settings by group, as a property list.
For example (:check (:onSave :json-false) :model (:name \"qwen3\"))."
  :type 'plist)

(defcustom glossator-trusted nil
  "Whether the workspace is trusted.
Only then are its AGENTS.md, CLAUDE.md and the like followed, and may its .env
choose the model and where code is sent.  Nil (you are asked once), t, `never',
or a function that takes the root of the workspace and returns one of these."
  :type '(choice (const :tag "Ask" nil) (const :tag "Yes" t) (const :tag "No" never) function))

(defcustom glossator-language 'auto
  "The language of what Glossator says around answers: `auto', `en' or `zh'.
With `auto' it is that of Emacs's language environment, else that of the system."
  :type '(choice (const :tag "That of Emacs" auto) (const :tag "English" en)
                 (const :tag "中文" zh)))

(defun glossator-chinese-p ()
  "Say whether Glossator's own words are Chinese."
  (pcase glossator-language
    ('zh t)
    ('en nil)
    (_ (or (string-prefix-p "Chinese" current-language-environment)
           (string-prefix-p "zh" (or (getenv "LC_ALL") (getenv "LC_MESSAGES") (getenv "LANG")
                                     ""))))))

(defun glossator-say (english chinese)
  "Return ENGLISH or CHINESE, as the reader has it."
  (if (glossator-chinese-p) chinese english))

(defun glossator-tell (text &rest arguments)
  "Show TEXT, formatted with ARGUMENTS, in the echo area."
  (message "Glossator: %s" (apply #'format text arguments)))

;;;; What a client of the protocol provides

(defvar glossator-server-functions nil
  "Functions that return the Glossator server of the current buffer, or nil.")

(cl-defgeneric glossator-send (server params on-result on-error)
  "Send SERVER a request to execute a command, with PARAMS.
Call ON-RESULT with a property list or ON-ERROR with a text.")

(cl-defgeneric glossator-notify (server method params)
  "Send SERVER the notification METHOD with PARAMS.")

(cl-defgeneric glossator-roots (server)
  "Return the folders SERVER works in.")

(cl-defgeneric glossator-restart-server (server)
  "Start SERVER again.")

(cl-defgeneric glossator-choose-action (server kind)
  "Choose among the code actions of KIND that SERVER has at point.")

(cl-defgeneric glossator-problems (server)
  "Return what is reported on the line of point, by whichever server or linter.
Each is a property list as the protocol has diagnostics, in units of SERVER."
  (glossator-flymake-problems server))

(cl-defgeneric glossator-encoding (_server)
  "Return the unit in which SERVER counts characters of a line."
  "utf-16")

(defun glossator-initialization-options (root)
  "Return the initialization options for a workspace with ROOT."
  (let ((trusted (if (functionp glossator-trusted)
                     (funcall glossator-trusted root)
                   glossator-trusted)))
    `( :settings ,(or glossator-settings (make-hash-table))
       ,@(and trusted (list :workspaceTrusted (if (eq trusted 'never) :json-false t)))
       ;; Clients of Emacs tell servers no language.
       :locale ,(glossator-say "en" "zh-CN")
       :clientShowsAnswers t)))

(defun glossator-explain-missing-command ()
  "Return nil when the server's command can be run, else what to do."
  (unless (executable-find (car glossator-command))
    (format (glossator-say "The command `%s' was not found.  Install the server (`pipx install .' \
in a copy of Glossator) or set `glossator-command' to where it is"
                           "未找到命令 `%s'。请安装服务器（在 Glossator 的副本中运行 `pipx install .'），\
或将 `glossator-command' 设为其所在位置")
            (car glossator-command))))

(defvar-local glossator-buffer-server nil
  "The server whose answers a buffer of Glossator shows.")

(defun glossator-server ()
  "Return the server of this buffer, or say what is wrong."
  (or glossator-buffer-server
      (run-hook-with-args-until-success 'glossator-server-functions)
      (user-error "%s" (or (glossator-explain-missing-command)
                           (glossator-say "Glossator is not running here: start it with M-x eglot \
or M-x lsp" "Glossator 未在此运行：请用 M-x eglot 或 M-x lsp 启动")))))

;;;; Places

(defun glossator-file-to-uri (file)
  "Return the URI of FILE."
  (concat "file://" (and (string-match-p "\\`[A-Za-z]:" file) "/")
          (url-hexify-string file (cons ?/ (cons ?: url-unreserved-chars)))))

(defun glossator-uri-to-file (uri)
  "Return the file of URI."
  (let ((path (decode-coding-string
               (url-unhex-string (string-remove-prefix "file://" uri)) 'utf-8)))
    (if (string-match-p "\\`/[A-Za-z]:" path) (substring path 1) path)))

(defun glossator-position (encoding &optional position)
  "Return POSITION, or point, counted in units of ENCODING."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (or position (point)))
      (let ((before (buffer-substring-no-properties (line-beginning-position) (point))))
        (list :line (1- (line-number-at-pos nil t))
              :character
              (pcase encoding
                ("utf-8" (string-bytes (encode-coding-string before 'utf-8)))
                ("utf-32" (length before))
                (_ (/ (string-bytes (encode-coding-string before 'utf-16le)) 2))))))))

(defun glossator-buffer-uri ()
  "Return the URI of this buffer's file, or nil."
  (and buffer-file-name (glossator-file-to-uri (file-truename buffer-file-name))))

(defun glossator-target (server)
  "Return where point is, and what is selected, in the units of SERVER.
Return nil in a buffer without a file."
  (when buffer-file-name
    (let ((encoding (glossator-encoding server)))
      (append
       (list :uri (glossator-buffer-uri) :position (glossator-position encoding))
       (when (use-region-p)
         (list :range (list :start (glossator-position encoding (region-beginning))
                            :end (glossator-position encoding (region-end)))))))))

;;;; Problems

(defun glossator-flymake-problems (server &optional is-wanted)
  "Return the diagnostics of Flymake on the line of point, in units of SERVER.
Only diagnostics for which IS-WANTED, if given, is non-nil are told."
  (when (bound-and-true-p flymake-mode)
    (cl-loop for diagnostic in (flymake-diagnostics (line-beginning-position) (line-end-position))
             when (or (null is-wanted) (funcall is-wanted diagnostic))
             collect (glossator--flymake-problem diagnostic (glossator-encoding server)))))

(defun glossator--flymake-problem (diagnostic encoding)
  "Return DIAGNOSTIC of Flymake as the protocol has it, in units of ENCODING."
  (let* ((data (flymake-diagnostic-data diagnostic))
         (of-eglot (and (listp data) (alist-get 'eglot-lsp-diag data)))
         (type (format "%s" (flymake-diagnostic-type diagnostic))))
    (if of-eglot
        (glossator-select-problem of-eglot)
      (list :range
            (list :start (glossator-position encoding (flymake-diagnostic-beg diagnostic))
                  :end (glossator-position encoding (flymake-diagnostic-end diagnostic)))
            :severity
            (cond ((string-match-p "error" type) 1) ((string-match-p "warning" type) 2) (t 3))
            :message (flymake-diagnostic-text diagnostic)
            :source (format "%s" (flymake-diagnostic-backend diagnostic))))))

(defun glossator-select-problem (diagnostic)
  "Return of DIAGNOSTIC, as a server has told it, what explaining it needs."
  (cl-loop for key in '(:range :severity :message :source :code)
           for value = (plist-get diagnostic key)
           when value append (list key value)))

;;;; Running commands

(defvar glossator-runs (make-hash-table :test 'equal)
  "Functions that take the events of running commands, by token.")

(defvar glossator--n-runs 0
  "How many commands have been run.")

(defun glossator-handle-progress (token value)
  "Give VALUE to the running command with TOKEN; nil when there is no such command."
  (when-let ((take (gethash token glossator-runs)))
    (funcall take value)
    t))

(defun glossator-execute (server command argument on-result on-error &optional on-event)
  "Run COMMAND on SERVER with ARGUMENT, a property list.
ON-RESULT gets a property list, ON-ERROR a text, ON-EVENT each event.  Return
the token by which the command is known, see `glossator-cancel'."
  (let ((token (format "glossator-%d-%d" (emacs-pid) (cl-incf glossator--n-runs))))
    (when on-event
      (puthash token on-event glossator-runs)
      (setq argument (append argument (list :partialResultToken token))))
    (glossator-send server
                    (list :command command
                          :arguments (vector (or argument (make-hash-table)))
                          :workDoneToken (concat token "-work"))
                    (lambda (result)
                      (remhash token glossator-runs)
                      (funcall on-result result))
                    (lambda (text)
                      (remhash token glossator-runs)
                      (funcall on-error text)))
    token))

(defun glossator-cancel (server token)
  "Stop the command with TOKEN on SERVER."
  (remhash token glossator-runs)
  ;; Cancelling by its progress needs no id of the request, which clients keep to themselves.  A
  ;; server that has ended needs to be told nothing.
  (ignore-errors
    (glossator-notify server "window/workDoneProgress/cancel"
                      (list :token (concat token "-work")))))

(defun glossator-execute-and (command argument show)
  "Run COMMAND with ARGUMENT and call SHOW with its result and the server."
  (let ((server (glossator-server)))
    (glossator-execute server command argument
                       (lambda (result) (funcall show result server))
                       (lambda (text) (glossator-tell "%s" text)))))

(defun glossator-request (server command argument)
  "Run COMMAND on SERVER with ARGUMENT and return its result.
It is waited for, for two seconds at most; \\[keyboard-quit] gives up earlier."
  (let ((end (+ (float-time) 2)) result failure)
    (glossator-execute server command argument
                       (lambda (value) (setq result (or value 'nothing)))
                       (lambda (text) (setq failure text)))
    (while (not (or result failure))
      (when (> (float-time) end)
        (user-error "%s" (glossator-say "The server does not answer" "服务器没有应答")))
      (accept-process-output nil 0.05))
    (when failure
      (user-error "%s" failure))
    result))

(provide 'glossator-server)
;;; glossator-server.el ends here
